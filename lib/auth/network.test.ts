import { expect, test } from "vitest";
import { networkOf } from "./network.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["nonsense", "unknown"],
  ["", "unknown"],
])("%s is counted as %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
