import { expect, test } from "vitest";
import { isPublicAddress, outOfReach } from "./addresses.ts";

test.each([
  ["8.8.8.8", true],
  ["2606:4700:4700::1111", true],
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["255.255.255.255", false],
  ["224.0.0.1", false],
  ["::1", false],
  ["::", false],
  ["fe80::1", false],
  ["fd00:ec2::254", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", true],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["::7f00:1", false], // an IPv4 address the old way (RFC 4291, 2.5.5.1)
  ["::a9fe:a9fe", false],
  ["::ffff:0:7f00:1", false],
  ["64:ff9b:1::a9fe:a9fe", false], // a network's own NAT64 (RFC 8215)
  ["fec0::1", false], // site-local
  ["100::1", false],
  ["2001:0:7f00:1::", false], // Teredo
  ["2001:db8::1", false],
  ["3fff::1", false],
  ["5f00::1", false],
  ["ff02::1", false],
  ["4000::1", false], // not given to anyone
  ["0.1.2.3", false],
  ["192.0.0.192", false],
  ["192.0.2.1", false],
  ["192.88.99.1", false],
  ["198.18.0.1", false],
  ["198.51.100.1", false],
  ["203.0.113.1", false],
  ["100.100.100.200", false],
  ["240.0.0.1", false],
  ["2400:cb00::1", true],
  ["2a00:1450:4001::1", true],
  ["localhost", false],
  ["", false],
])("%s is a public address: %s", (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test.each<[string, ReturnType<typeof outOfReach>]>([
  ["http://localhost:3000", "local"],
  ["https://localhost", "local"],
  ["https://rapport.localhost", "local"],
  ["http://127.0.0.1:3000", "local"],
  ["http://[::1]:3000", "local"],
  ["http://0.0.0.0:3000", "local"],
  ["https://10.1.2.3", "private"],
  ["https://192.168.1.20:8443", "private"],
  ["https://[fd00::1]", "private"],
  ["https://rapport", "private"],
  ["https://rapport.local", "private"],
  ["https://rapport.corp.internal", "private"],
  ["https://RAPPORT.LAN.", "private"],
  ["http://rapport.acme.com", "plain"],
  ["http://8.8.8.8", "plain"],
  ["https://rapport.acme.com", null],
  ["https://8.8.8.8", null],
  ["https://internal.acme.com", null],
])("%s is out of the internet's reach: %s", (url, expected) => {
  expect(outOfReach(url)).toBe(expected);
});
