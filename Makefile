# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# One word for every task; the work itself is done by scripts/ and CMake.
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

export JOBS ?= 2
# Many containers set it. Then every start of Python compiles again what it imports: half of a short command's time.
unexport PYTHONDONTWRITEBYTECODE
PYTHON := .venv/bin/python
BUILD  := build/release
PART   := scripts/part.sh
BUILD_TESTS := $(PART) "build" scripts/build.sh $(BUILD) -DOUTWORK_TESTS=ON -DOUTWORK_TRACE=ON -DOUTWORK_ASSERT=ON -DOUTWORK_SOC=ON -DOUTWORK_QUICK_BUILD=ON
# Two workers halve the time of make papers, where there are two CPUs.
PAPERS_CLUSTER = $(if $(filter none,$(CLUSTER)),,$(addprefix --cluster ,$(or $(CLUSTER),$(shell [ "$$(nproc)" -lt 2 ] || echo local:2))))
MODULE := build/linux/module build/linux/kernel ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu- --silent
# What ssh on the system on chip needs.
SSH := scripts/linux.sh ssh && scripts/kernel_module.sh $(subst build/linux/,build/linux-ssh/,$(MODULE)) && scripts/soc_openssh.sh

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## create .venv and install what running and testing need
	@scripts/setup.sh run lab test

.PHONY: build
build: ## compile the driver and the simulated boards
	@scripts/setup.sh run
	@TARGET="all ow_boards" scripts/build.sh $(BUILD)

.PHONY: demo
demo: ## encrypt a file on the accelerator, check it with OpenSSL, time both
	@scripts/setup.sh run lab
	@TARGET="ow_board_128 ow_lab_all" scripts/build.sh $(BUILD)
	@scripts/demo.sh $(FILE)

.PHONY: test-setup
test-setup: soc-setup
	@$(PART) "set-up" scripts/setup.sh run lab cluster parquet test package area
	@$(PART) "set-up: Mbed TLS" scripts/mbedtls.sh

.PHONY: test-build
test-build: test-setup
	@$(BUILD_TESTS)

.PHONY: test
test: test-setup ## fast tests: proofs, beside the build; ctest and pytest
	@$(PART) "set-up: provers" scripts/setup.sh formal
	@scripts/beside.sh build/proofs.log $(PART) "proofs" nice -n 10 $(PYTHON) scripts/prove.py -- $(BUILD_TESTS) || proofs=$$?; \
		[ "$${proofs:-0}" -ne 1 ] && scripts/test.sh $(BUILD) -m "not slow" && exit "$${proofs:-0}"

.PHONY: test-all
test-all: test-build timing-build prove-all ## every test: all vectors, large files, long random runs, all proofs
	@scripts/setup.sh run litex
	@TARGET="ow_boards slow_tests" scripts/build.sh $(BUILD)
	@scripts/linux.sh || [ $$? -eq 3 ]
	@scripts/soc_openssl.sh
	@(scripts/linux.sh module && scripts/kernel_module.sh $(MODULE) && scripts/kernel_lab.sh $(MODULE)) || [ $$? -eq 3 ]
	@($(SSH)) || [ $$? -eq 3 ]
	@scripts/uml.sh || [ $$? -eq 3 ]
	@scripts/qemu.sh || [ $$? -eq 3 ]
	@scripts/test.sh $(BUILD)

.PHONY: prove
prove: ## prove the formal properties of the fast sample (one minute)
	@scripts/setup.sh run formal
	@$(PYTHON) scripts/prove.py

.PHONY: prove-all
prove-all: ## prove every formal property, and find every fault planted against them
	@scripts/setup.sh run formal
	@$(PYTHON) scripts/prove.py --all
	@$(PYTHON) scripts/prove.py --all --faults

.PHONY: test-openssl
test-openssl: ## the OpenSSL provider's tests with other releases of OpenSSL (fetched and built, 10 minutes each)
	@scripts/setup.sh run test
	@scripts/test_openssl_releases.sh

.PHONY: test-wolfssl
test-wolfssl: ## the wolfSSL callback's tests, and wolfCrypt's own, with another release of wolfSSL (fetched and built, 15 minutes)
	@scripts/setup.sh run test
	@scripts/test_wolfssl_releases.sh

.PHONY: lint
lint: ## formatters, linters, two compilers, two cross compilers, freshness of generated files
	@$(PART) "set-up: lint" scripts/setup.sh run lab test package lint synthesis
	@$(PART) "lint" scripts/lint.sh

.PHONY: format
format: ## rewrite Python and C files in the project's format
	@scripts/setup.sh run lint
	@scripts/format.sh

.PHONY: generate
generate: ## write what comes from spec/, rtl/pka/programs, rtl/lattice/programs.py and rtl/outwork.f
	@scripts/setup.sh run test
	@$(PYTHON) spec/generate.py
	@PYTHONPATH=rtl $(PYTHON) -m pka.assemble
	@PYTHONPATH=rtl $(PYTHON) -m lattice.programs
	@$(PYTHON) scripts/check_lists.py --write

.PHONY: docs
docs: ## build the documentation site into site/
	@$(PART) "set-up: documentation" scripts/setup.sh run docs
	@NO_MKDOCS_2_WARNING=1 $(PART) "documentation" $(PYTHON) -m mkdocs build --strict # not --quiet: what it hides does not count as a warning
	@echo "docs: site/index.html"

.PHONY: bench
bench: ## measure the figures in the README and in docs
	@scripts/setup.sh run lab
	@# A build of its own: assertions, which make test turns on, make the simulation slower.
	@TARGET="ow_board_128 ow_lab_all" scripts/build.sh build/bench -DOUTWORK_ASSERT=OFF -DOUTWORK_BOARD_WIDTHS=128
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib $(PYTHON) scripts/figures.py

.PHONY: papers
papers: soc-setup ## run the plans of the five publications, and make one report of them (CLUSTER=none: one point at a time)
	@scripts/setup.sh run lab baselines cluster
	@scripts/mbedtls.sh 3.6.5
	@# A build of its own, as in bench.
	@TARGET="ow_board_128 ow_board_64 ow_board_32 ow_soc_128 ow_lab_all" scripts/build.sh build/bench -DOUTWORK_ASSERT=OFF -DOUTWORK_SOC=ON "-DOUTWORK_BOARD_WIDTHS=128;64;32"
	@(scripts/linux.sh module && scripts/kernel_module.sh $(MODULE) && scripts/kernel_lab.sh $(MODULE)) || [ $$? -eq 3 ]
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib scripts/papers.sh build/papers $(PAPERS_CLUSTER)

.PHONY: verilog
verilog: ## write a preset as one file of Verilog-2001 (PRESET=full)
	@scripts/setup.sh run area
	@$(PYTHON) scripts/verilog.py $(or $(PRESET),full)

.PHONY: ipxact
ipxact: ## write an IP-XACT component with the RTL into build/ipxact (PRESET=full)
	@scripts/setup.sh run package
	@$(PYTHON) scripts/ipxact.py $(PRESET)

.PHONY: litex
litex: ## simulate a LiteX SoC with VexRiscv and Outwork until its firmware's self-test ends (PRESET=micro)
	@scripts/setup.sh run area litex
	@$(PYTHON) scripts/verilog.py $(or $(PRESET),micro)
	@$(PYTHON) platform/litex/sim.py --preset $(or $(PRESET),micro)

.PHONY: litex-ulx3s
litex-ulx3s: ## make a bitstream of that SoC for the ULX3S-85F with open tools (PRESET=micro)
	@scripts/setup.sh run area litex
	@$(PYTHON) scripts/verilog.py $(or $(PRESET),micro)
	@$(PYTHON) platform/litex/ulx3s.py --preset $(or $(PRESET),micro)

.PHONY: soc-setup
soc-setup:
	@$(PART) "set-up: system on chip" scripts/setup.sh run soc
	@$(PART) "set-up: FreeRTOS" scripts/freertos.sh

.PHONY: soc
soc: soc-setup ## simulate a system on chip with a RISC-V CPU until its self-test ends (WIDTH=128, of the accelerator's port)
	@TARGET="ow_soc_$(or $(WIDTH),128)" scripts/build.sh $(BUILD) -DOUTWORK_SOC=ON
	@mkdir -p build/soc
	@.venv/bin/outwork soc build platform/soc/examples/selftest.c -o build/soc/selftest.elf
	@.venv/bin/outwork soc run build/soc/selftest.elf

.PHONY: soc-trace
soc-trace: soc-setup ## build the system on chip that writes waveforms (outwork soc run --wave)
	@scripts/setup.sh run test
	@TARGET="ow_soc_128_trace" scripts/build.sh $(BUILD) -DOUTWORK_SOC=ON -DOUTWORK_TRACE=ON -DOUTWORK_QUICK_BUILD=OFF

.PHONY: soc-linux
soc-linux: soc-setup ## start Linux on the system on chip, and run the driver's self-test there
	@scripts/linux.sh
	@TARGET="ow_soc_128" scripts/build.sh $(BUILD) -DOUTWORK_SOC=ON
	@.venv/bin/outwork soc build --linux platform/soc/examples/selftest.c -o build/soc/selftest-linux.elf
	@.venv/bin/outwork soc boot --run build/soc/selftest-linux.elf

.PHONY: soc-openssl
soc-openssl: soc-setup ## build OpenSSL for Linux on the system on chip, and encrypt a file there on the accelerator
	@scripts/linux.sh
	@scripts/soc_openssl.sh
	@TARGET="ow_soc_128" scripts/build.sh $(BUILD) -DOUTWORK_SOC=ON
	@.venv/bin/outwork soc boot --run build/soc/openssl/openssl --file plain=README.md --script platform/soc/openssl/demo.txt

.PHONY: soc-openssl-bench
soc-openssl-bench: soc-setup ## compare OpenSSL's code, CPU instructions and the provider, in docs/soc-linux.md (20 minutes)
	@scripts/linux.sh
	@scripts/soc_openssl.sh
	@TARGET="ow_soc_128" scripts/build.sh build/bench -DOUTWORK_ASSERT=OFF -DOUTWORK_SOC=ON -DOUTWORK_BOARD_WIDTHS=128
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib $(PYTHON) scripts/soc_openssl_bench.py --write
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib $(PYTHON) scripts/soc_openssl_shares.py --write

.PHONY: soc-ssh
soc-ssh: soc-setup ## send files by ssh under Linux on the system on chip, with and without the device, in docs/linux-kernel.md (an hour)
	@$(SSH)
	@TARGET="ow_soc_128" scripts/build.sh build/bench -DOUTWORK_ASSERT=OFF -DOUTWORK_SOC=ON -DOUTWORK_BOARD_WIDTHS=128
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib $(PYTHON) scripts/soc_ssh.py --write

.PHONY: linux
linux: soc-setup ## load the kernel module under Linux on the system on chip: self-tests of its algorithms, a table
	@scripts/linux.sh module
	@scripts/kernel_module.sh $(MODULE)
	@scripts/kernel_lab.sh $(MODULE)
	@TARGET="ow_soc_128" scripts/build.sh $(BUILD) -DOUTWORK_SOC=ON
	@$(PYTHON) scripts/kernel_check.py

.PHONY: uml
uml: ## load the kernel module under User Mode Linux, on the simulated board: self-tests of its algorithms
	@scripts/setup.sh run uml
	@TARGET="outwork_pci uml_load uml_dm_crypt" scripts/build.sh $(BUILD)
	@scripts/uml.sh
	@$(PYTHON) scripts/uml_check.py

.PHONY: uml-debug
uml-debug: ## the same with a kernel that checks memory, locks and DMA
	@scripts/setup.sh run uml
	@TARGET="outwork_pci uml_load uml_dm_crypt" scripts/build.sh $(BUILD)
	@scripts/uml.sh debug
	@$(PYTHON) scripts/uml_check.py --debug

.PHONY: qemu
qemu: ## the same with Debian's own kernel, in QEMU
	@scripts/qemu.sh
	@TARGET="outwork_qemu uml_load ow_openssl" scripts/build.sh $(BUILD)
	@$(PYTHON) scripts/qemu_check.py

.PHONY: soc-bench
soc-bench: soc-setup ## compare software, CPU instructions and accelerator on one clock, in docs/soc.md (7 minutes)
	@scripts/mbedtls.sh 3.6.5
	@TARGET="ow_soc_128" scripts/build.sh build/bench -DOUTWORK_ASSERT=OFF -DOUTWORK_SOC=ON -DOUTWORK_BOARD_WIDTHS=128
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib $(PYTHON) scripts/soc_bench.py --write
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib $(PYTHON) scripts/soc_modes.py --write

.PHONY: soc-libraries
soc-libraries: soc-setup ## compare Mbed TLS and wolfCrypt with and without the accelerator on one clock, in docs/soc.md (10 minutes)
	@scripts/mbedtls.sh 3.6.5
	@scripts/wolfssl.sh
	@TARGET="ow_soc_128" scripts/build.sh build/bench -DOUTWORK_ASSERT=OFF -DOUTWORK_SOC=ON -DOUTWORK_BOARD_WIDTHS=128
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/bench/lib $(PYTHON) scripts/soc_libraries.py --write

.PHONY: energy
energy: build ## compare what operations switch, in docs/power.md (15 minutes)
	@scripts/setup.sh run area
	@TARGET="ow_board_micro_activity" scripts/build.sh build/activity -DOUTWORK_ACTIVITY=micro -DOUTWORK_ASSERT=OFF
	@$(PYTHON) scripts/energy.py --write

.PHONY: timing-build
timing-build:
	@scripts/setup.sh run test
	@# A build of its own: the board that writes waveforms in the one of make test has a smaller AES engine.
	@TARGET="ow_board_128_trace" scripts/build.sh build/timing -DOUTWORK_TRACE=ON -DOUTWORK_QUICK_BUILD=OFF -DOUTWORK_BOARD_WIDTHS=128

.PHONY: timing
timing: timing-build ## draw the timing diagrams in docs/integrate.md from waveforms of the simulated board
	@OUTWORK_LIBRARY_PATH=$(CURDIR)/build/timing/lib/trace $(PYTHON) scripts/timing_diagrams.py

.PHONY: areas
areas: ## measure the area of the modules with yosys (an hour)
	@scripts/setup.sh run area
	@$(PYTHON) scripts/areas.py

.PHONY: clocks
clocks: ## place and route each module alone on an ECP5, for the clock that it reaches (hours; ONLY=DES for one)
	@scripts/setup.sh run area
	@$(PYTHON) scripts/clocks.py $(if $(ONLY),--only "$(ONLY)")

.PHONY: structure
structure: ## look for latches and loops, and list memories, multiplexers and flip-flops in docs/structure.md (4 minutes)
	@scripts/setup.sh run area
	@$(PYTHON) scripts/structure.py --write

.PHONY: bench-openssl
bench-openssl: ## measure what the OpenSSL provider costs, keeps busy and chooses
	@scripts/setup.sh run test
	@TARGET=openssl_bench scripts/build.sh $(BUILD)
	@scripts/bench_openssl.sh $(BUILD)

.PHONY: user-times
user-times: wheel ## measure what a user waits for: help, a wheel's installation to the first file, a report (RECORDS="FILE...")
	@scripts/setup.sh lab
	@$(PYTHON) scripts/user_times.py dist/outwork-*.whl $(RECORDS)

.PHONY: bench-psa
bench-psa: ## Mbed TLS's benchmark through PSA: its software, and the device
	@scripts/setup.sh run test
	@scripts/mbedtls.sh
	@TARGET="psa_benchmark ow_board_128" scripts/build.sh $(BUILD) -DOUTWORK_TESTS=ON
	@scripts/bench_psa.sh $(BUILD)

.PHONY: coverage
coverage: ## report which lines of RTL and driver the fast tests reach
	@scripts/setup.sh run test area
	@scripts/coverage.sh

.PHONY: mutate
mutate: ## plant faults in every layer (COUNT each, 50) and say which ones the fast tests notice (hours)
	@scripts/setup.sh run lab test area
	@scripts/mbedtls.sh
	@$(PYTHON) scripts/mutate.py --floor 90 --jobs $(JOBS) $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(if $(LAYERS),--layers $(LAYERS))

.PHONY: man
man: ## write manual pages of all commands into build/man
	@scripts/setup.sh run
	@$(PYTHON) scripts/man_pages.py build/man

.PHONY: wheel
wheel: ## write a Python wheel with the simulated boards inside into dist/ (BOARDS="128 64 32 micro edge")
	@scripts/setup.sh run wheel
	@scripts/wheel.sh $(BOARDS)

.PHONY: deb
deb: wheel ## write Debian packages of command line, provider, driver and documentation into dist/
	@TARGET="ow_driver_shared ow_driver_archive" scripts/build.sh $(BUILD)
	@scripts/deb.sh $(BUILD)

.PHONY: install
install: ## install the OpenSSL provider where OpenSSL looks for modules (DESTDIR=... for a package)
	@scripts/setup.sh run
	@TARGET="ow_openssl ow_board_128" scripts/build.sh $(BUILD)
	@scripts/provider.sh $(BUILD) install

.PHONY: enable
enable: ## name the installed provider in OpenSSL's configuration (OPENSSL_CONF=... for another than the system's)
	@scripts/provider.sh $(BUILD) enable

.PHONY: uninstall
uninstall: ## take the OpenSSL provider out of OpenSSL's configuration and off this machine
	@scripts/provider.sh $(BUILD) uninstall

.PHONY: clean
clean: ## remove everything that was built; keep .venv
	rm -rf build site
