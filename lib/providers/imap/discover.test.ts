import { beforeEach, expect, test } from "vitest";
import { useDnsServer } from "#lib/testing/dns.fixture.ts";
import { findMailServer } from "./discover.ts";

const dns = useDnsServer();
const find = (address: string) => findMailServer(address, [dns.address]);
const srv = (name: string, target: string, port = 993, priority = 0, weight = 0) =>
  ({ type: "SRV", name, target, port, priority, weight }) as const;
const mx = (name: string, target: string, priority = 10) => ({ type: "MX", name, target, priority }) as const;

beforeEach(() => {
  dns.records = [];
  dns.asked.length = 0;
  dns.silent = false;
});

test.each([
  ["anna@gmail.com", "imap.gmail.com"],
  ["Anna@GoogleMail.com", "imap.gmail.com"],
  ["anna@outlook.com", "outlook.office365.com"],
  ["anna@gmx.de", "imap.gmx.net"],
  ["anna@icloud.com", "imap.mail.me.com"],
  ["anna@163.com", "imap.163.com"],
])("the server of %s is known without a question", async (address, host) => {
  expect(await find(address)).toEqual({ host, port: 993, secure: true });
  expect(dns.asked).toEqual([]);
});

test("a domain says its server by SRV records: the first by priority, then by weight", async () => {
  dns.records = [
    srv("_imaps._tcp.acme.example", "backup.acme.example", 993, 20),
    srv("_imaps._tcp.acme.example", "small.acme.example", 993, 10, 1),
    srv("_imaps._tcp.acme.example", "Mail.Acme.example", 9993, 10, 5),
    srv("_imap._tcp.acme.example", "plain.acme.example", 143),
    mx("acme.example", "aspmx.l.google.com"),
  ];
  expect(await find("anna@acme.example")).toEqual({ host: "mail.acme.example", port: 9993, secure: true });
});

test("a server without TLS from the first byte is one that upgrades", async () => {
  dns.records = [srv("_imaps._tcp.acme.example", ".", 0), srv("_imap._tcp.acme.example", "mail.acme.example", 143)];
  expect(await find("anna@acme.example")).toEqual({ host: "mail.acme.example", port: 143, secure: false });
});

test.each([
  ["aspmx.l.google.com", "imap.gmail.com"],
  ["acme-example.mail.protection.outlook.com", "outlook.office365.com"],
  ["in1-smtp.messagingengine.com", "imap.fastmail.com"],
  ["mx00.kundenserver.de", "imap.ionos.de"],
])("a domain whose mail %s takes is read at %s", async (exchange, host) => {
  dns.records = [mx("acme.example", "backup.example", 50), mx("acme.example", exchange, 1)];
  expect(await find("anna@acme.example")).toEqual({ host, port: 993, secure: true });
});

test.each(["mx.acme.example", "evilgoogle.com", "google.com.evil.example"])("%s says nothing", async (exchange) => {
  dns.records = [mx("acme.example", exchange)];
  expect(await find("anna@acme.example")).toBeNull();
});

test.each(["anna", "anna@", "anna@localhost", "anna@10.0.0.1", ""])(
  "%j has no server, and nobody is asked",
  async (no) => {
    expect(await find(no)).toBeNull();
    expect(dns.asked).toEqual([]);
  },
);

test("a resolver that does not answer is waited for a moment", async () => {
  dns.silent = true;
  const begun = performance.now();
  expect(await find("anna@acme.example")).toBeNull();
  expect(performance.now() - begun).toBeLessThan(15_000);
});
