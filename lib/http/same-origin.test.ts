import { describe, expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { requireSameOrigin } from "./same-origin.ts";

const settings = (env: Record<string, string>) =>
  setBoot({ env: readEnv(env as never), databaseUrl: "", secrets: { sessionSecret: "", encryptionKeys: [] } });

function allows(method: string, headers: Record<string, string>): boolean {
  try {
    requireSameOrigin({ method, header: (name) => headers[name] });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "origin_not_allowed", status: 403 });
    return false;
  }
}

describe("a request that changes something", () => {
  test.each([
    ["from our page", { host: "a.example", origin: "http://a.example", "sec-fetch-site": "same-origin" }, true],
    ["from our page behind a proxy that ends TLS", { host: "a.example", origin: "https://a.example" }, true],
    [
      "from our page on a LAN address, where browsers send no Sec-Fetch-Site",
      { host: "10.0.0.7:3000", origin: "http://10.0.0.7:3000" },
      true,
    ],
    ["with Sec-Fetch-Site alone", { host: "a.example", "sec-fetch-site": "same-origin" }, true],
    ["from another site", { host: "a.example", origin: "http://b.example", "sec-fetch-site": "cross-site" }, false],
    ["from another site by an old browser", { host: "a.example", origin: "http://b.example" }, false],
    ["from a sister site", { host: "a.example", "sec-fetch-site": "same-site" }, false],
    ["from another port", { host: "a.example:3000", origin: "http://a.example:4000" }, false],
    ["from a sandboxed frame", { host: "a.example", origin: "null" }, false],
    ["from an address typed in", { host: "a.example", "sec-fetch-site": "none" }, false],
    ["that says nothing", { host: "a.example" }, false],
    [
      "that names a forwarded host nobody vouches for",
      { host: "a.example", origin: "http://b.example", "x-forwarded-host": "b.example" },
      false,
    ],
  ])("%s: %o is %s", (_what, headers, allowed) => {
    settings({});
    for (const method of ["POST", "PATCH", "DELETE", "PUT"])
      expect(allows(method, headers as Record<string, string>)).toBe(allowed);
  });

  test("may come from APP_URL, and from the host a trusted proxy names", () => {
    settings({ APP_URL: "https://app.example" });
    expect(allows("POST", { host: "internal:3000", origin: "https://app.example" })).toBe(true);
    settings({ TRUST_PROXY: "1" });
    expect(
      allows("POST", { host: "internal:3000", origin: "https://app.example", "x-forwarded-host": "app.example" }),
    ).toBe(true);
  });
});

test("reading is allowed from anywhere", () => {
  settings({});
  expect(allows("GET", { host: "a.example", origin: "http://b.example", "sec-fetch-site": "cross-site" })).toBe(true);
  expect(allows("HEAD", {})).toBe(true);
});
