import { describe, expect, test } from "vitest";
import type { Credentials } from "#lib/providers/provider.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import type { Provider } from "./contract.ts";
import { addressProblem, adviceOf, readCredentials, refusalWords, turnedAwayMessage, turnedAwayOf } from "./rules.ts";

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
  ["rate_limited", "waits and tries again automatically"],
  ["slow", "tries again automatically"],
  ["unreachable", "check the network"],
  ["broken", "tries again automatically"],
  ["unreadable", "tries again automatically"],
] as const)("a provider that is %s is told with what to do", (trouble, todo) => {
  const advice = adviceOf(
    "cal_com",
    "Bookings cannot be compared",
    new ProviderFault("Cal.com", trouble, { reason: "why." }),
  );
  expect(advice).toMatch(/^Bookings cannot be compared: Cal\.com .+: why\. /);
  expect(advice).toContain(todo);
});

describe("what was turned away", () => {
  const since = (hour: number) => new Date(Date.UTC(2026, 5, 3, hour));
  const refused = (code: string, standing: number, hour = 14, provider: Provider = "fathom") => ({
    provider,
    code,
    standing,
    standingSince: since(hour),
  });

  test.each<[string, ReturnType<typeof refused>[], string | null]>([
    ["nothing", [], null],
    ["what is past", [refused("invalid_signature", 0)], null],
    ["of another provider", [refused("invalid_signature", 3, 14, "cal_com")], null],
    [
      "once",
      [refused("signing_secret_not_configured", 1)],
      "1 request to the webhook was turned away on 2026-06-03 14:00 UTC, because no signing secret is saved here. Save the signing secret that Fathom shows for the webhook.",
    ],
    [
      "for several reasons",
      [refused("timestamp_out_of_tolerance", 1, 9), refused("invalid_json", 1_200), refused("payload_too_large", 0, 1)],
      "1,201 requests to the webhook were turned away since 2026-06-03 09:00 UTC, mostly because the body was no JSON object. Have Fathom send its own payload, not a template.",
    ],
    [
      "for a reason without words",
      [refused("new_code", 2)],
      "2 requests to the webhook were turned away since 2026-06-03 14:00 UTC, because the answer was new_code. See the delivery log.",
    ],
  ])("%s", (_what, refusals, message) => {
    expect(turnedAwayMessage("fathom", turnedAwayOf("fathom", refusals))).toBe(message);
  });

  test("every code that a delivery can be answered has words of its own", () => {
    for (const code of [
      "signature_missing",
      "invalid_signature",
      "timestamp_out_of_tolerance",
      "signing_secret_not_configured",
      "invalid_json",
      "unsupported_media_type",
      "payload_too_large",
    ])
      for (const provider of ["cal_com", "fathom"] as const)
        expect(refusalWords(provider, code).reason).not.toContain(code);
  });
});

describe("the address of this server", () => {
  const advice =
    "Ask the person who runs this server to set APP_URL to its public https address (in .env or its environment) and restart it.";
  test.each<[Provider, string, string | null]>([
    [
      "cal_com",
      "http://localhost:3000/inbound/cal_com/x",
      `Cal.com cannot deliver to http://localhost:3000: that address leads to this computer only. ${advice}`,
    ],
    [
      "fathom",
      "https://10.0.0.5/inbound/fathom/x",
      `Fathom cannot deliver to https://10.0.0.5: that address is in a private network. ${advice}`,
    ],
    [
      "fathom",
      "http://rapport.acme.com/inbound/fathom/x",
      `Fathom cannot deliver to http://rapport.acme.com: providers deliver over https only. ${advice}`,
    ],
    ["fathom", "https://rapport.acme.com/inbound/fathom/x", null],
    ["hubspot", "http://localhost:3000/inbound/hubspot/x", null],
  ])("%s at %s", (provider, url, said) => {
    expect(addressProblem(provider, url)).toBe(said);
  });
});
