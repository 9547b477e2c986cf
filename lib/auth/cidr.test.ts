import { describe, expect, test } from "vitest";
import { isAllowed, parseCidr } from "./cidr.ts";

describe("parseCidr", () => {
  test.each([
    ["10.0.0.7", "10.0.0.7/32"],
    [" 10.0.0.0/8 ", "10.0.0.0/8"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::1", "::1/128"],
    ["2001:DB8::/32", "2001:db8::/32"],
    ["2001:db8:1::5/32", "2001:db8::/32"],
    ["::/0", "::/0"],
    ["::ffff:10.0.0.7", "10.0.0.7/32"],
    ["::ffff:10.1.2.3/104", "10.0.0.0/8"],
  ])("writes %s as %s", (text, cidr) => {
    expect(parseCidr(text)).toBe(cidr);
  });

  test.each([
    "",
    "10.0.0.0/33",
    "10.0.0",
    "10",
    "0x7f.0.0.1",
    "300.1.1.1",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "::/129",
    "fe80::1%eth0",
    "example.com",
    "10.0.0.1-10.0.0.9",
  ])("refuses %j", (text) => {
    expect(parseCidr(text)).toBeNull();
  });
});

describe("isAllowed", () => {
  test.each([
    ["10.200.0.1", ["10.0.0.0/8"], true],
    ["11.0.0.1", ["10.0.0.0/8"], false],
    ["::ffff:10.0.0.1", ["10.0.0.0/8"], true],
    ["::ffff:11.0.0.1", ["10.0.0.0/8"], false],
    ["2001:db8::7", ["10.0.0.0/8", "2001:db8::/32"], true],
    ["2001:db9::7", ["10.0.0.0/8", "2001:db8::/32"], false],
    ["10.0.0.1", ["::/0"], false],
    ["not an address", ["0.0.0.0/0", "::/0"], false],
    ["10.0.0.1", [], false],
  ])("says whether %s is in %j", (ip, cidrs, allowed) => {
    expect(isAllowed(ip, cidrs)).toBe(allowed);
  });
});
