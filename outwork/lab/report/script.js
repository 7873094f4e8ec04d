// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The light and dark switch (without a script the page follows the system), and the marks on paper.
(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem("outwork-theme", value);
      return localStorage.getItem("outwork-theme");
    } catch {
      return value; // a page opened from a file may have no storage
    }
  };
  const current = () => root.dataset.theme || (system.matches ? "dark" : "light");
  const show = () => { button.textContent = current() === "dark" ? "Light" : "Dark"; };
  const chosen = remembered();
  if (chosen) root.dataset.theme = chosen;
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = current() === "dark" ? "light" : "dark";
    remembered(root.dataset.theme);
    show();
  });
  system.addEventListener("change", show);
  addEventListener("beforeprint", () => { document.querySelector(".kinds").open = true; });
  show();
})();
