import { describe, expect, test } from "vitest";
import { EnvError, readEnv } from "./env.ts";
import { oidcProvidersOf } from "./oidc.ts";

const entry = {
  id: "okta",
  name: "Okta",
  issuer: "https://acme.okta.com/",
  client_id: "client",
  client_secret: "the secret of Okta",
};
const single = { OIDC_ISSUER: "https://idp.example", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" };

const read = (list: unknown, more: Record<string, string> = {}) =>
  readEnv({
    OIDC_PROVIDERS: typeof list === "string" ? list : JSON.stringify(list),
    ...more,
  } as unknown as NodeJS.ProcessEnv);
const problemOf = (list: unknown, more: Record<string, string> = {}): string => {
  try {
    read(list, more);
    return "none";
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return (error as EnvError).message;
  }
};

describe("OIDC_PROVIDERS", () => {
  test("adds to the provider that has variables of its own, each with its usual values", () => {
    const full = {
      ...entry,
      id: "entra",
      issuer: "https://login.example/tenant/v2.0",
      domains: ["acme.com", "acme.co.uk"],
      groups_claim: "roles",
      scopes: ["groups"],
      acr_values: ["mfa"],
    };
    const providers = oidcProvidersOf(
      read([entry, full], { ...single, OIDC_NAME: "Keycloak", OIDC_ACR_VALUES: "x y" }),
    );
    expect(providers.map(({ id, name, issuer }) => [id, name, issuer])).toEqual([
      ["oidc", "Keycloak", "https://idp.example"],
      ["okta", "Okta", "https://acme.okta.com"],
      ["entra", "Okta", "https://login.example/tenant/v2.0"],
    ]);
    expect(providers[0]).toMatchObject({ domains: null, groupsClaim: "groups", acrValues: ["x", "y"], scopes: [] });
    expect(providers[1]).toMatchObject({ domains: null, groupsClaim: "groups", acrValues: null, scopes: [] });
    expect(providers[2]).toMatchObject({
      domains: ["acme.com", "acme.co.uk"],
      groupsClaim: "roles",
      acrValues: ["mfa"],
      scopes: ["groups"],
      clientSecret: "the secret of Okta",
    });
  });

  test("may be the only form, or absent", () => {
    expect(oidcProvidersOf(read([{ ...entry, id: "oidc" }])).map(({ id }) => id)).toEqual(["oidc"]);
    expect(oidcProvidersOf(readEnv({} as NodeJS.ProcessEnv))).toEqual([]);
    expect(oidcProvidersOf(readEnv(single as unknown as NodeJS.ProcessEnv)).map(({ id }) => id)).toEqual(["oidc"]);
  });

  test.each<[string, unknown, RegExp, Record<string, string>?]>([
    ["no JSON", "[{", /is not JSON/],
    ["no list", entry, /is wrong at its beginning/],
    ["an entry without a secret", [{ ...entry, client_secret: undefined }], /0\.client_secret/],
    ["a field that there is not", [{ ...entry, domain: "acme.com" }], /domain/],
    ["an issuer that is no address", [{ ...entry, issuer: "acme.okta.com" }], /0\.issuer/],
    ["an issuer over another protocol", [{ ...entry, issuer: "ftp://acme.okta.com" }], /0\.issuer/],
    ["an id with other characters", [{ ...entry, id: "Okta!" }], /0\.id/],
    ["a domain that is an address", [{ ...entry, domains: ["@acme.com"] }], /0\.domains\.0/],
    ["no domain in a list of them", [{ ...entry, domains: [] }], /0\.domains/],
    ["a domain in capitals", [{ ...entry, domains: ["Acme.com"] }], /0\.domains\.0/],
    ["an id twice", [entry, { ...entry, issuer: "https://b.example" }], /id okta more than once/],
    ["the id of another way to sign in", [{ ...entry, id: "github" }], /id github/],
    [
      "an issuer twice",
      [entry, { ...entry, id: "b", issuer: "https://acme.okta.com" }],
      /issuer https:\/\/acme.okta.com twice/,
    ],
    ["the id of the other form", [{ ...entry, id: "oidc" }], /OIDC_PROVIDERS together with OIDC_ISSUER/, single],
    [
      "the issuer of the other form",
      [{ ...entry, issuer: "https://idp.example" }],
      /together with OIDC_ISSUER/,
      single,
    ],
  ])("is refused with %s, without its secret", (_what, list, why, more = {}) => {
    const problem = problemOf(list, more);
    expect(problem).toMatch(why);
    expect(problem).not.toContain("the secret of Okta");
  });
});
