import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frameOf, sendSyslog } from "./send.ts";

const file = (name: string) => readFileSync(`lib/testing/samples/tls/loopback.${name}.pem`, "utf8");
const trusted = getCACertificates("default");
let received = "";
const server = createServer({ key: file("key"), cert: file("cert") }, (socket) => {
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
});
const url = () => `syslog+tls://127.0.0.1:${(server.address() as AddressInfo).port}`;
const message = { at: "2026-06-01T10:00:00.000Z", id: "member.removed", isWarning: false, text: '{"subject":"Zoë"}' };
const never = new AbortController().signal;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.close();
});

test("a message has its priority, time, kind and length in bytes", () => {
  const frame = frameOf({ ...message, id: "user.sign_in_refused and more than allowed", isWarning: true }, "my host");
  const [length = "", ...rest] = frame.split(" ");
  expect(Buffer.byteLength(rest.join(" "))).toBe(Number(length));
  expect(rest.join(" ")).toMatch(
    /^<108>1 2026-06-01T10:00:00\.000Z myhost rapport - user\.sign_in_refusedandmorethana \[origin software="Rapport" swVersion="[^"]+"\] \{"subject":"Zoë"\}$/,
  );
});

test("messages arrive in order, only where the certificate is one to trust", async () => {
  expect(await sendSyslog(url(), [message], never)).toMatch(/certificate/i);
  expect(received).toBe("");
  setDefaultCACertificates([...trusted, file("cert")]);
  const other = { ...message, id: "member.left" };
  expect(await sendSyslog(url(), [message, other], never)).toBeNull();
  expect(received).toBe(`${frameOf(message)}${frameOf(other)}`);
});

test("a server that is not there is a problem in words", async () => {
  expect(await sendSyslog("syslog+tls://127.0.0.1:1", [message], never)).toBe("It refuses connections.");
});
