import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAllowed, parseCidr } from "./cidr.ts";

const range = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
);

describe("parseCidr", () => {
  test("returns a range that parses to itself", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          range.map(([ip, bits]) => `${ip}/${bits}`),
          fc.ipV4(),
          fc.ipV6(),
          fc.string(),
        ),
        (text) => {
          const once = parseCidr(text);
          if (once !== null) expect(parseCidr(once)).toBe(once);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("reads every address and range", () => {
    fc.assert(fc.property(range, ([ip, bits]) => parseCidr(ip) !== null && parseCidr(`${ip}/${bits}`) !== null));
  });

  test("returns a range that contains the address it was written with", () => {
    fc.assert(
      fc.property(range, ([ip, bits]) => {
        // A mapped address counts as its IPv4 address, which is in no IPv6 range wider than the mapped block.
        const mapped = parseCidr(ip)?.includes(".") === true && ip.includes(":");
        expect(isAllowed(ip, [parseCidr(`${ip}/${bits}`) as string])).toBe(!(mapped && bits < 96));
      }),
      { examples: [[["::ffff:10.0.0.1", 0]], [["::ffff:10.0.0.1", 96]]] },
    );
  });

  test("returns a range that contains the same IPv4 addresses as its mapped IPv6 form", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (ip, bits, other) => {
        expect(parseCidr(`::ffff:${ip}/${bits + 96}`)).toBe(parseCidr(`${ip}/${bits}`));
        const cidrs = [parseCidr(`${ip}/${bits}`) as string];
        expect(isAllowed(`::ffff:${other}`, cidrs)).toBe(isAllowed(other, cidrs));
      }),
    );
  });
});
