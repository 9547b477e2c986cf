import { describe, expect, test } from "vitest";
import { ProviderFault } from "#lib/providers/request.ts";
import type { Provider } from "./contract.ts";
import { adviceOf, type Credentials, readCredentials } from "./rules.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

describe("credentials", () => {
  test.each<[Provider, Credentials, Credentials]>([
    ["cal_com", { api_key: "cal_live_x" }, { api_key: "cal_live_x" }],
    ["cal_com", { api_key: " any-prefix \n" }, { api_key: "any-prefix" }],
    ["fathom", { signing_secret: secret }, { signing_secret: secret }],
    ["fathom", { signing_secret: ` ${secret}`, api_key: "" }, { signing_secret: secret }],
    ["fathom", { signing_secret: secret, api_key: "k" }, { signing_secret: secret, api_key: "k" }],
    ["hubspot", { access_token: "pat-x" }, { access_token: "pat-x" }],
    ["attio", { access_token: "x" }, { access_token: "x" }],
  ])("of %s in %j are read", (provider, given, read) => {
    expect(readCredentials(provider, given)).toEqual({ read });
  });

  test.each<[Provider, Credentials, string]>([
    ["cal_com", {}, "api_key is missing"],
    ["cal_com", { api_key: " " }, "api_key is missing"],
    ["cal_com", { api_key: "x", secret: "y" }, "secret is not one of api_key"],
    ["cal_com", { api_key: "two words" }, "api_key holds characters that no key has"],
    ["cal_com", { api_key: "a\u0000b" }, "api_key holds characters that no key has"],
    ["cal_com", { api_key: "schlüssel" }, "api_key holds characters that no key has"],
    ["fathom", { api_key: "x" }, "signing_secret is missing"],
    ["fathom", { signing_secret: "hush" }, "signing_secret is whsec_ followed by base64, as the provider shows it"],
    ["fathom", { signing_secret: "whsec_" }, "signing_secret is whsec_ followed by base64, as the provider shows it"],
    [
      "fathom",
      { signing_secret: "whsec_!!!" },
      "signing_secret is whsec_ followed by base64, as the provider shows it",
    ],
    ["hubspot", { api_key: "x" }, "access_token is missing"],
  ])("of %s in %j are refused", (provider, given, wrong) => {
    expect(readCredentials(provider, given)).toEqual({ wrong });
  });
});

test.each([
  ["refused", "connect again with a new one"],
  ["rejected", "for your account"],
  ["rate_limited", "waits and tries again by itself"],
  ["slow", "tries again by itself"],
  ["unreachable", "check the network"],
  ["broken", "tries again by itself"],
  ["unreadable", "tries again by itself"],
] as const)("a provider that is %s is told with what to do", (trouble, todo) => {
  const advice = adviceOf(
    "cal_com",
    "Bookings cannot be compared",
    new ProviderFault("Cal.com", trouble, { reason: "why." }),
  );
  expect(advice).toMatch(/^Bookings cannot be compared: Cal\.com .+: why\. /);
  expect(advice).toContain(todo);
});
