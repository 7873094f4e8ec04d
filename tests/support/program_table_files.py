# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A table of constants: programs that use OpenSSL for files, signatures, names and mail (program_table.py says how to read it)."""

from program_table import PAGE, Program

XML = """cat >t.xml <<'END'
<a xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:Signature><ds:SignedInfo>
<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>
<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
<ds:Reference URI=""><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/></ds:Transforms>
<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference></ds:SignedInfo>
<ds:SignatureValue/></ds:Signature></a>
END"""
ZONE = """cat >zone <<'END'
example. 3600 IN SOA ns.example. a.example. 1 3600 600 86400 3600
example. 3600 IN NS ns.example.
ns.example. 3600 IN A 192.0.2.1
www.example. 3600 IN A 192.0.2.7
END"""
DNSSEC = f"""{ZONE}
dnssec-keygen -q -a ECDSAP256SHA256 -f KSK example. >/dev/null
dnssec-keygen -q -a ECDSAP256SHA256 example. >/dev/null
cat K*.key >>zone"""
DOVECOT = """mkdir -p mail/new mail/cur mail/tmp state
{ printf 'From: a@localhost\\r\\nSubject: page\\r\\n\\r\\n'; base64 page; } >mail/new/1.a.localhost
chown -R nobody mail
cat >dovecot.conf <<END
protocols = imap
import_environment = OPENSSL_CONF
base_dir = $PWD/state
state_dir = $PWD/state
log_path = $PWD/dovecot.log
listen = 127.0.0.1
ssl = required
ssl_cert = <$PWD/certificate.pem
ssl_key = <$PWD/key.pem
mail_location = maildir:$PWD/mail
first_valid_uid = 1
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = $PORT
  }
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=$PWD/mail
}
END"""
DOVECOT_RUNS = "exec /usr/sbin/dovecot -F -c dovecot.conf"

FILES = (
    Program("xmlsec1", "xmlsec1", "xmlsec1", "xmlsec1 --sign --privkey-pem rsa.pem t.xml", "rsa-private", 1, before=XML),
    Program("osslsigncode", "osslsigncode", "osslsigncode", "osslsigncode sign -certs rsa.crt -key rsa.pem -h sha256 -in $EXE -out signed.exe >&2",
            "rsa-private", 1, after="osslsigncode verify -CAfile rsa.crt -in signed.exe | grep -c 'Signature verification: ok'", gives="1\n"),
    Program("sbsign", "sbsigntool", "sbsign", "sbsign --key rsa.pem --cert rsa.crt --output signed.exe $EXE 2>/dev/null", "rsa-private", 1,
            after="sbverify --cert rsa.crt signed.exe", gives="Signature verification OK\n"),
    Program("ldns-signzone", "ldnsutils", "ldns-signzone", "ldns-signzone -f zone.signed zone $(cat key)", "ec-sign", 3,
            before=f"{ZONE}\nldns-keygen -a ECDSAP256SHA256 example. >key; cat $(cat key).key >>zone",
            after="ldns-verify-zone zone.signed", gives="Zone is verified and complete\n"),
    Program("dnssec-signzone", "bind9-utils", "dnssec-signzone", "dnssec-signzone -q -z -o example. -f zone.signed zone >/dev/null", "ec-sign", 3,
            before=DNSSEC, after="dnssec-verify -q -z -o example. zone.signed && echo verified", gives="verified\n"),
    Program("validns", "validns bind9-utils", "validns dnssec-signzone", "validns -z example. zone.signed && echo valid", "rsa-public", 3,
            before=f"{DNSSEC}\ndnssec-signzone -q -z -o example. -f zone.signed zone >/dev/null".replace("ECDSAP256SHA256", "RSASHA256 -b 2048"), gives="valid\n"),
    Program("borg", "borgbackup", "borg", "borg create $PWD/repository::a page", "aes-ctr", 1,
            before="borg init -e repokey $PWD/repository", after="borg extract --stdout $PWD/repository::a", gives=PAGE),
    Program("pki", "strongswan-pki libstrongswan-standard-plugins", "pki /usr/lib/ipsec/plugins/libstrongswan-openssl.so", "pki --self --in rsa.pem --type rsa --dn CN=a --ca --digest sha256 --outform pem >ca.pem", "rsa-private", 1,
            after="openssl verify -CAfile ca.pem ca.pem", gives="ca.pem: OK\n"),
    Program("mkimage", "u-boot-tools device-tree-compiler", "mkimage dtc fdtget", "mkimage -f t.its -k $PWD -r t.itb >&2", "rsa-private", 1, before="""cp rsa.pem k.key; cp rsa.crt k.crt
cat >t.its <<'END'
/dts-v1/;
/ { description = "t"; #address-cells = <1>;
  images { kernel { data = /incbin/("page"); type = "kernel"; arch = "arm"; os = "linux"; compression = "none"; load = <0>; entry = <0>;
    signature { algo = "sha256,rsa2048"; key-name-hint = "k"; }; }; };
  configurations { default = "c"; c { kernel = "kernel"; }; }; };
END
printf '/dts-v1/;\\n/ { };\\n' >d.dts; dtc -O dtb -o d.dtb d.dts; cp d.dtb d2.dtb""",
            after="mkimage -f t.its -k $PWD -K d2.dtb -r t2.itb >/dev/null && fdtget -t x t.itb /images/kernel/signature value >one; "
            "fdtget -t x t2.itb /images/kernel/signature value | cmp - one && echo equal", gives="equal\n"),
    Program("pkcs11-tool", "opensc softhsm2", "pkcs11-tool softhsm2-util xxd", "pkcs11-tool --module /usr/lib/softhsm/libsofthsm2.so --login --pin 1234 --hash -m SHA256 -i page -o digest 2>/dev/null >&2; xxd -p -c 64 digest",
            "sha256", 1, before="""mkdir tokens; printf 'directories.tokendir = %s/tokens\\n' $PWD >softhsm2.conf
softhsm2-util --init-token --free --label a --pin 1234 --so-pin 1234 >/dev/null"""),
    Program("ssh-keygen", "openssh-client", "ssh-keygen", "ssh-keygen -q -Y sign -f user_key -n file page", "sha512", 1,
            after="ssh-keygen -Y check-novalidate -n file -s page.sig <page | grep -c Good", gives="1\n"),
    Program("openssl-cms", "openssl", "openssl", "openssl cms -encrypt -binary -aes-256-cbc -in page -outform DER -out page.cms rsa.crt", "aes-cbc", 1,
            after="openssl cms -decrypt -binary -inform DER -in page.cms -inkey rsa.pem", gives=PAGE),
    Program("php-openssl", "php-cli", "php", """php -r '
$t = ""; echo bin2hex(openssl_encrypt(file_get_contents("page"), "aes-256-gcm", str_repeat("k", 32), OPENSSL_RAW_DATA, str_repeat("i", 12), $t)), bin2hex($t);'""", "aes-gcm", 3),
    Program("ruby-openssl", "ruby", "ruby", """ruby -ropenssl -e '
c = OpenSSL::Cipher.new("aes-256-ctr").encrypt; c.key = "k" * 32; c.iv = "i" * 16
puts (c.update(File.binread("page")) + c.final).unpack1("H*")'""", "aes-ctr", 3),
    Program("paramiko", "python3-paramiko", "/usr/lib/python3/dist-packages/paramiko", """/usr/bin/python3 -c '
import os, sys, pwd, paramiko
c = paramiko.SSHClient(); c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
c.connect("localhost", int(os.environ["PORT2"]), username=pwd.getpwuid(os.getuid()).pw_name, key_filename="user_key", allow_agent=False)
sys.stdout.buffer.write(c.exec_command("cat %s/page" % os.getcwd())[1].read())'""", "aes-ctr", 6, before="SSHD", gives=PAGE),
    Program("asyncssh", "python3-asyncssh", "/usr/lib/python3/dist-packages/asyncssh", """/usr/bin/python3 -c '
import asyncio, asyncssh, os, sys
async def main():
  async with asyncssh.connect("localhost", int(os.environ["PORT2"]), client_keys=["user_key"], known_hosts=None, encryption_algs=["aes256-gcm@openssh.com"]) as c:
    sys.stdout.buffer.write((await c.run("cat %s/page" % os.getcwd(), encoding=None)).stdout)
asyncio.run(main())'""", "aes-gcm", 6, before="SSHD", gives=PAGE),
)  # fmt: skip

MAIL_AND_MORE = (
    Program("dovecot", "dovecot-imapd", "/usr/sbin/dovecot", "exec /usr/sbin/dovecot -F -c dovecot.conf", before=DOVECOT,
            after="curl -sS --cacert certificate.pem -u nobody:secret 'imaps://localhost:'$PORT'/INBOX/;UID=1/;SECTION=TEXT' | base64 -d -i", gives=PAGE, is_server=True),
    Program("mbsync", "isync dovecot-imapd", "mbsync /usr/sbin/dovecot", "mkdir -p got; mbsync -q -c mbsyncrc a >&2; sed '1,/^\\r*$/d' got/INBOX/new/* got/INBOX/cur/* 2>/dev/null | base64 -d -i",
            before=DOVECOT + """
cat >mbsyncrc <<END
IMAPAccount a
Host localhost
Port $PORT
User nobody
Pass secret
SSLType IMAPS
CertificateFile $PWD/certificate.pem

IMAPStore far
Account a

MaildirStore near
Path $PWD/got/
Inbox $PWD/got/INBOX

Channel a
Far :far:
Near :near:
Create Near
SyncState $PWD/got/
END""", beside=DOVECOT_RUNS, gives=PAGE),
    Program("fetchmail", "fetchmail dovecot-imapd", "fetchmail /usr/sbin/dovecot", "chmod 600 fetchmailrc; HOME=$PWD fetchmail -s -f fetchmailrc --mda 'cat >>got' >&2; sed '1,/^\\r*$/d' got | base64 -d -i",
            before=DOVECOT + """
printf 'poll localhost service %s protocol imap user nobody password secret ssl sslcertfile %s/certificate.pem sslcertck keep\\n' $PORT $PWD >fetchmailrc
chmod 600 fetchmailrc""", beside=DOVECOT_RUNS, gives=PAGE),
    Program("mariadb", "mariadb-server-core mariadb-client-core", "/usr/sbin/mariadbd mariadb", "exec /usr/sbin/mariadbd --no-defaults --user=root --datadir=$PWD/data --socket=$PWD/s --port=$PORT --bind-address=127.0.0.1 "
            "--ssl-cert=$PWD/certificate.pem --ssl-key=$PWD/key.pem --tls-version=TLSv1.3 --pid-file=$PWD/pid",
            before="mariadb-install-db --no-defaults --user=root --datadir=$PWD/data --auth-root-authentication-method=normal --skip-test-db >/dev/null 2>&1",
            after="mariadb --no-defaults -u root -h 127.0.0.1 -P $PORT --ssl -N -e \"select repeat('outwork', 30000)\" | sha256sum",
            gives="17-of-outwork", is_server=True),
    Program("postgres", "postgresql", "/usr/lib/postgresql/15/bin/postgres", "exec setpriv --reuid postgres --regid postgres --clear-groups "
            "/usr/lib/postgresql/15/bin/postgres -D data -p $PORT --ssl=on --listen_addresses=127.0.0.1 --unix_socket_directories=",
            before="""mkdir data && chown postgres data
setpriv --reuid postgres --regid postgres --clear-groups /usr/lib/postgresql/15/bin/initdb -D data -A trust -E UTF8 -U postgres
cp key.pem data/server.key && cp certificate.pem data/server.crt && chown postgres data/server.* && chmod 600 data/server.key""",
            after="psql -At -c \"select repeat('outwork', 30000)\" \"host=127.0.0.1 port=$PORT user=postgres dbname=postgres sslmode=require\" | sha256sum",
            gives="17-of-outwork", is_server=True),
    Program("nrpe", "nagios-nrpe-server", "/usr/sbin/nrpe", "exec /usr/sbin/nrpe -c nrpe.cfg -f", least=1, before="""cat >nrpe.cfg <<END
server_address=127.0.0.1
server_port=$PORT
allowed_hosts=127.0.0.1
pid_file=$PWD/nrpe.pid
nrpe_user=nobody
nrpe_group=nogroup
ssl_cert_file=$PWD/certificate.pem
ssl_privatekey_file=$PWD/key.pem
command[hello]=/bin/echo hello
END""", after="{ printf ''; sleep 1; } | openssl s_client -connect 127.0.0.1:$PORT -CAfile certificate.pem -tls1_2 2>/dev/null | grep -c 'Verify return code: 0'",
            gives="1\n", is_server=True),
)  # fmt: skip
