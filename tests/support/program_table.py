# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A table of constants: programs that use OpenSSL, each with work for it, and with what the device's counter must show.

Commands are those of `sh -e` in a folder of their own with these files and variables:
  page key.pem certificate.pem both.pem rsa.pem rsa.crt   200,003 bytes, and keys
  $PAGE the folder of all that  $PORT $PORT2 free ports  $URL a TLS server of Python with that folder

`ours` uses the provider, `before` and `after` do not. Standard output of `after`, or of `ours` if there is no `after`, is the
result; it must be `gives`, or that of the same commands without the provider.
"""

from dataclasses import dataclass

PAGE = "page"  # as a result: the contents of the file
PACKETS = 12  # TLS records of the page


@dataclass(frozen=True)
class Program:
    name: str
    package: str  # of Debian; may be several
    needs: str  # programs, or files, of the packages
    ours: str
    counts: str = "aes-gcm"
    least: int = PACKETS
    before: str = ""
    after: str = ""
    gives: str | None = None
    is_server: bool = False  # `ours` runs until `after` has ended, which begins when $PORT answers
    beside: str = ""  # a server without the provider, which runs beside `ours`


def client(name: str, package: str, needs: str, command: str, least: int = PACKETS) -> Program:
    """A client of the TLS server: it prints the page."""
    return Program(name, package, needs, command, least=least, gives=PAGE)


UNBOUND = """cat >unbound.conf <<END
server:
  interface: 127.0.0.1@$PORT
  tls-port: $PORT
  tls-service-key: "$PWD/key.pem"
  tls-service-pem: "$PWD/certificate.pem"
  chroot: ""
  username: ""
  directory: "$PWD"
  pidfile: "$PWD/unbound.pid"
  use-syslog: no
  local-zone: "example." static
  local-data: "www.example. 3600 IN A 192.0.2.7"
END"""
MOSQUITTO = (
    "printf 'listener %s 127.0.0.1\\nallow_anonymous true\\ncafile %s/certificate.pem\\ncertfile %s/certificate.pem\\n"
    "keyfile %s/key.pem\\nuser root\\n' $PORT $PWD $PWD $PWD >mosquitto.conf"
)
FETCH = "curl -sS --cacert certificate.pem https://localhost:$PORT/page"


def web(name: str, package: str, needs: str, configuration: str, command: str) -> Program:
    """A TLS server of the page, which writes its configuration first."""
    return Program(name, package, needs, command, before=f"cat >{name}.conf <<END\n{configuration}\nEND",
                   after=FETCH, gives=PAGE, is_server=True)  # fmt: skip


CLIENTS = (
    client("axel", "axel", "axel", "axel -q -k -n 1 -o got $URL/page >&2 && cat got"),
    client("ncat", "ncat", "ncat", "printf 'GET /page HTTP/1.0\\r\\n\\r\\n' | ncat --ssl --no-shutdown localhost ${URL##*:} | sed '1,/^\\r$/d'"),
    client("perl", "libio-socket-ssl-perl", "/usr/share/perl5/IO/Socket/SSL.pm", """perl -MIO::Socket::SSL -e '
my $s = IO::Socket::SSL->new(PeerAddr => "localhost:" . ($ENV{URL} =~ s/.*://r), SSL_ca_file => "certificate.pem",
  SSL_hostname => "localhost") or die $SSL_ERROR;
print $s "GET /page HTTP/1.0\\r\\n\\r\\n"; local $/; my $t = <$s>; $t =~ s/^.*?\\r\\n\\r\\n//s; print $t;'"""),
    client("ruby", "ruby", "ruby", """ruby -ropen-uri -ropenssl -e '
print URI.open(ENV["URL"] + "/page", ssl_ca_cert: "certificate.pem", &:read)'"""),
    client("php", "php-cli", "php", """php -r '
$c = stream_context_create(["ssl" => ["cafile" => "certificate.pem"]]);
echo file_get_contents(getenv("URL") . "/page", false, $c);'"""),
    client("node", "nodejs", "/usr/bin/nodejs", """/usr/bin/nodejs --openssl-shared-config -e '
require("https").get(process.env.URL + "/page", {ca: require("fs").readFileSync("certificate.pem")},
  (r) => r.pipe(process.stdout))'"""),
    client("tcl", "tcl-tls", "/usr/lib/tcltk/x86_64-linux-gnu/tcltls1.7.22/pkgIndex.tcl", """cat >t.tcl <<'END'
package require tls
package require http
http::register https 443 [list tls::socket -cafile certificate.pem -autoservername 1]
fconfigure stdout -translation binary
puts -nonewline [http::data [http::geturl $env(URL)/page -binary 1]]
END
tclsh t.tcl"""),
    client("lua", "lua5.3 lua-sec", "/usr/share/lua/5.3/ssl.lua lua5.3", """cat >t.lua <<'END'
local socket, ssl = require("socket"), require("ssl")
local s = assert(socket.connect("localhost", os.getenv("URL"):match(":(%d+)$")))
s = assert(ssl.wrap(s, {mode = "client", protocol = "any", verify = "peer", cafile = "certificate.pem"}))
assert(s:dohandshake())
s:send("GET /page HTTP/1.0\\r\\n\\r\\n")
local text, _, part = s:receive("*a")
io.write(((text or part):gsub("^.-\\r\\n\\r\\n", "", 1)))
END
lua5.3 t.lua"""),
    client("m2crypto", "python3-m2crypto", "/usr/lib/python3/dist-packages/M2Crypto", """/usr/bin/python3 -c '
import os, sys
from M2Crypto import SSL, httpslib
c = SSL.Context("tls"); c.load_verify_locations("certificate.pem")
SSL.Connection.clientPostConnectionCheck = None
h = httpslib.HTTPSConnection("localhost", int(os.environ["URL"].split(":")[-1]), ssl_context=c)
h.request("GET", "/page"); sys.stdout.buffer.write(h.getresponse().read())'"""),
    client("pyopenssl", "python3-openssl", "/usr/lib/python3/dist-packages/OpenSSL", """/usr/bin/python3 -c '
import os, socket, sys
from OpenSSL import SSL
c = SSL.Context(SSL.TLS_CLIENT_METHOD); c.load_verify_locations("certificate.pem"); c.set_verify(SSL.VERIFY_PEER)
s = SSL.Connection(c, socket.create_connection(("localhost", int(os.environ["URL"].split(":")[-1]))))
s.set_connect_state(); s.sendall(b"GET /page HTTP/1.0\\r\\n\\r\\n"); got = b""
try:
  while True: got += s.recv(65536)
except (SSL.ZeroReturnError, SSL.SysCallError): pass
sys.stdout.buffer.write(got.split(b"\\r\\n\\r\\n", 1)[1])'"""),
    client("w3m", "w3m", "w3m", "w3m -o ssl_verify_server=0 -dump_source $URL/page"),
    Program("ab", "apache2-utils", "ab", "ab -q -n 3 -c 1 $URL/page | grep -E 'Complete|Failed|HTML transferred'", least=3 * PACKETS),
    Program("siege", "siege", "siege", "HOME=$PWD siege -q -b -c 1 -r 3 --json-output -R /dev/null $URL/page | grep -E 'transactions|failed'", least=3 * PACKETS),
    Program("wrk", "wrk", "wrk", "wrk -t 1 -c 1 -d 1 $URL/page >got; grep -c 'requests in' got; grep -cE 'Socket errors|Non-2xx' got || true", least=2),
    Program("httping", "httping", "httping", "httping -l -G -c 3 $URL/page | grep -oE '^3 connects, 3 ok'", least=1),
    Program("h2load", "nghttp2-client", "h2load", "h2load --npn-list=http/1.1 -n 3 -c 1 $URL/page | grep -E '^(requests|status codes)'", least=3 * PACKETS),
    Program("check_http", "monitoring-plugins-basic", "/usr/lib/nagios/plugins/check_http",
            "/usr/lib/nagios/plugins/check_http -t 100 -S --sni -H localhost -p ${URL##*:} -u /page | sed 's/ in .*//'"),
    Program("curl-sftp", "libssh2-1", "curl", "curl -sS -k --key user_key --pubkey user_key.pub -u $(id -un): sftp://localhost:$PORT2$PWD/page",
            "aes-ctr", 6, before="SSHD", gives=PAGE),
    Program("net-ssh2", "libnet-ssh2-perl", "/usr/lib/x86_64-linux-gnu/perl5/5.36/Net/SSH2.pm", """perl -MNet::SSH2 -e '
my $s = Net::SSH2->new; $s->connect("localhost", $ENV{PORT2}) or die; $s->auth_publickey((getpwuid $<)[0], "user_key.pub", "user_key") or die;
my $c = $s->channel; $c->exec("cat $ENV{PWD}/page"); my $t = ""; while (!$c->eof) { my $b; my $n = $c->read($b, 32768); last if $n < 0; $t .= $b }
print $t;'""", "aes-ctr", 6, before="SSHD", gives=PAGE),
    Program("fossil", "fossil", "fossil", "HOME=$PWD SSL_CERT_FILE=certificate.pem fossil clone --once https://localhost:$PORT/ got >&2 && HOME=$PWD fossil cat -R got page",
            before="""export HOME=$PWD
fossil init there && fossil user capabilities nobody gox -R there && mkdir work && cd work && fossil open --force ../there
cp ../page . && fossil add page && fossil commit --no-warnings -m page""",
            beside="HOME=$PWD exec fossil server --cert both.pem --port $PORT --localhost there", gives=PAGE),
    Program("snmpget", "snmp snmpd", "snmpget /usr/sbin/snmpd", "snmpget -v 3 -u tester -l authPriv -a SHA -A 'correct horse' -x AES -X 'battery staple' -t 60 -r 0 127.0.0.1:$PORT 1.3.6.1.2.1.1.6.0",
            "hmac", 2, before="""cat >snmpd.conf <<END
agentaddress tcp:127.0.0.1:$PORT,udp:127.0.0.1:$PORT
createUser tester SHA "correct horse" AES "battery staple"
rouser tester authPriv
sysLocation here
END""", beside="exec /usr/sbin/snmpd -f -C -c snmpd.conf -Lo"),
    Program("tinc", "tinc", "/usr/sbin/tincd", """/usr/sbin/tincd -c a -D -d5 --pidfile=$PWD/a.pid >a.log 2>&1 & trap 'kill $!' EXIT
for i in $(seq 60); do [ $(grep -c 'Got MTU probe' a.log) -lt 3 ] || break; sleep 1; done
grep -o 'Connection with b' a.log""", "aes-cbc", 6, before="""for n in a b; do
  mkdir -p $n/hosts && printf 'Name=%s\\nDeviceType=dummy\\nAddressFamily=ipv4\\n' $n >$n/tinc.conf
  openssl genrsa -traditional -out $n/rsa_key.priv 2048 && openssl rsa -in $n/rsa_key.priv -RSAPublicKey_out >key.$n
done
echo 'ConnectTo=b' >>a/tinc.conf
for n in a b; do
  (printf 'Port=%s\\nAddress=127.0.0.1\\nSubnet=10.0.0.1\\n' $PORT2 && cat key.a) >$n/hosts/a
  (printf 'Port=%s\\nAddress=127.0.0.1\\nSubnet=10.0.0.2\\n' $PORT && cat key.b) >$n/hosts/b
done""", beside="exec /usr/sbin/tincd -c b -D --pidfile=$PWD/b.pid"),
)  # fmt: skip

SERVERS = (
    web("apache2", "apache2", "/usr/sbin/apache2", """ServerRoot $PWD
PidFile apache.pid
ErrorLog apache.log
Mutex posixsem
User www-data
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
Listen 127.0.0.1:$PORT
ServerName localhost
DocumentRoot $PWD
SSLEngine on
SSLCertificateFile certificate.pem
SSLCertificateKeyFile key.pem
SSLSessionCache none""", "exec /usr/sbin/apache2 -D FOREGROUND -f $PWD/apache2.conf"),
    web("hitch", "hitch", "/usr/sbin/hitch", """frontend = "[127.0.0.1]:$PORT"
backend = "[127.0.0.1]:$PORT2"
pem-file = "$PWD/both.pem"
daemon = off
workers = 1
ocsp-dir = ""
user = "nobody"
group = "nogroup" """, "python3 -m http.server --bind 127.0.0.1 $PORT2 & exec /usr/sbin/hitch --config=hitch.conf"),
    web("nghttpx", "nghttp2-proxy", "/usr/sbin/nghttpx", """frontend=127.0.0.1,$PORT
backend=127.0.0.1,$PORT2
private-key-file=$PWD/key.pem
certificate-file=$PWD/certificate.pem
workers=1
errorlog-file=$PWD/nghttpx.log""", "python3 -m http.server --bind 127.0.0.1 $PORT2 & exec nghttpx --conf=$PWD/nghttpx.conf"),
    Program("openssl-s_server", "openssl", "openssl", "exec openssl s_server -quiet -WWW -accept $PORT -cert certificate.pem -key key.pem",
            after=FETCH, gives=PAGE, is_server=True),
    Program("mosquitto", "mosquitto mosquitto-clients", "/usr/sbin/mosquitto mosquitto_pub", "exec /usr/sbin/mosquitto -c mosquitto.conf",
            before=MOSQUITTO,
            after="mosquitto_pub -r -h localhost -p $PORT --cafile certificate.pem -t t -f page && mosquitto_sub -C 1 -N -h localhost -p $PORT --cafile certificate.pem -t t",
            gives=PAGE, is_server=True),
    Program("mosquitto_pub", "mosquitto mosquitto-clients", "/usr/sbin/mosquitto mosquitto_pub", """mosquitto_pub -r -h localhost -p $PORT --cafile certificate.pem -t t -f page
mosquitto_sub -C 1 -N -h localhost -p $PORT --cafile certificate.pem -t t""",
            before=MOSQUITTO, beside="exec /usr/sbin/mosquitto -c mosquitto.conf",
            gives=PAGE),
    Program("unbound", "unbound bind9-dnsutils", "/usr/sbin/unbound dig", "exec /usr/sbin/unbound -d -c unbound.conf", least=4,
            before=UNBOUND, after="dig +tls +short @127.0.0.1 -p $PORT www.example. A", gives="192.0.2.7\n", is_server=True),
    Program("dig", "bind9-dnsutils unbound", "dig unbound", "dig +tls +short @127.0.0.1 -p $PORT www.example. A", least=2, before=UNBOUND, beside="exec /usr/sbin/unbound -d -c unbound.conf", gives="192.0.2.7\n"),
    Program("ncat-server", "ncat", "ncat", "exec ncat --ssl --ssl-key key.pem --ssl-cert certificate.pem -l -k 127.0.0.1 $PORT --sh-exec 'cat page'",
            after="openssl s_client -quiet -connect 127.0.0.1:$PORT </dev/null", gives=PAGE, is_server=True),
    web("squid", "squid-openssl", "/usr/sbin/squid", """https_port 127.0.0.1:$PORT accel defaultsite=localhost tls-cert=$PWD/certificate.pem tls-key=$PWD/key.pem
cache_peer 127.0.0.1 parent $PORT2 0 no-query originserver
http_access allow all
cache_effective_user nobody
cache_effective_group nogroup
visible_hostname localhost
pid_filename none
access_log none
cache_log $PWD/squid.log
coredump_dir $PWD""", "python3 -m http.server --bind 127.0.0.1 $PORT2 & exec /usr/sbin/squid -N -f $PWD/squid.conf"),
    Program("nsd", "nsd bind9-dnsutils", "/usr/sbin/nsd dig", "exec /usr/sbin/nsd -d -c nsd.conf", least=4, before="""cat >nsd.conf <<END
server:
  ip-address: 127.0.0.1@$PORT
  tls-port: $PORT
  tls-service-key: "$PWD/key.pem"
  tls-service-pem: "$PWD/certificate.pem"
  username: ""
  chroot: ""
  database: ""
  zonesdir: "$PWD"
  xfrdir: "$PWD"
  pidfile: "$PWD/nsd.pid"
  xfrdfile: "$PWD/xfrd.state"
  zonelistfile: "$PWD/zone.list"
remote-control:
  control-enable: no
zone:
  name: example.
  zonefile: example.zone
END
printf '@ 3600 SOA ns a 1 2 3 4 5\\n@ 3600 NS ns\\nns 3600 A 192.0.2.1\\nwww 3600 A 192.0.2.7\\n' >example.zone""",
            after="dig +tls +short @127.0.0.1 -p $PORT www.example. A", gives="192.0.2.7\n", is_server=True),
    Program("vsftpd", "vsftpd", "/usr/sbin/vsftpd", "exec /usr/sbin/vsftpd vsftpd.conf", before="""mkdir -p empty ftp && cp page ftp/ && chmod 755 ftp && cat >vsftpd.conf <<END
listen=YES
background=NO
listen_port=$PORT
listen_address=127.0.0.1
anonymous_enable=YES
anon_root=$PWD/ftp
allow_anon_ssl=YES
ssl_enable=YES
ssl_ciphers=ECDHE-ECDSA-AES256-GCM-SHA384
rsa_cert_file=$PWD/certificate.pem
rsa_private_key_file=$PWD/key.pem
secure_chroot_dir=$PWD/empty
seccomp_sandbox=NO
require_ssl_reuse=NO
xferlog_enable=NO
END""", after="curl -sS --ssl-reqd --cacert certificate.pem ftp://localhost:$PORT/page", gives=PAGE, is_server=True),
)  # fmt: skip
