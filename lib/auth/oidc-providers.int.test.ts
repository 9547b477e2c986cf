/** Several OpenID providers on one server: whose word counts for whom. */
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { getProfile, signUp } from "#lib/domain/workspace/users/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { authBrowser, type Vouching } from "#lib/testing/oidc.fixture.ts";
import { URL_HERE, useOidcProvider } from "#lib/testing/use-oidc.fixture.ts";
import { stranger } from "#lib/testing/visitor.fixture.ts";
import { readSession } from "./sessions.ts";

const [acme, other] = [useOidcProvider(), useOidcProvider()];

type Entries = { acme?: Record<string, unknown>; other?: Record<string, unknown> };
const boot = (more: Entries = {}, settings: Record<string, string> = {}) =>
  bootWith({
    OIDC_PROVIDERS: JSON.stringify([acme.entry("acme", more.acme), other.entry("other", more.other)]),
    SIGNUPS: "open",
    APP_URL: URL_HERE,
    ...settings,
  });

beforeEach(() => {
  for (const provider of [acme, other]) provider.namesItself = false;
  boot();
});

const verified = (email: string, sub: string = newId()) => ({
  claims: { sub, name: "Ada", email, email_verified: true },
});
const address = (domain = "acme.example") => `ada-${newId()}@${domain}`;
const signIn = async (id: "acme" | "other", vouching: Vouching, visitor = authBrowser(URL_HERE)) => {
  const provider = id === "acme" ? acme : other;
  const to = await visitor.comeBack(provider.approve(await visitor.leave(id), vouching));
  return { to, session: await readSession(visitor.header), visitor };
};
const loginsOf = (userId: string | undefined) =>
  inspect<{ provider: string }>("SELECT provider FROM accounts WHERE user_id = $1 ORDER BY provider", [userId]);

describe("an account", () => {
  test("belongs to the issuer and its subject: the same subject elsewhere is somebody else", async () => {
    const sub = newId();
    const first = await signIn("acme", verified(address(), sub));
    const second = await signIn("other", verified(address(), sub));
    expect(first.session?.userId).toBeDefined();
    expect(second.session?.userId).toBeDefined();
    expect(second.session?.userId).not.toBe(first.session?.userId);
    expect(first.session).toMatchObject({ byOidc: true, oidcIssuer: acme.issuer });
    expect(await loginsOf(first.session?.userId)).toEqual([{ provider: acme.issuer }]);
    expect((await signIn("acme", { claims: { sub } })).session?.userId).toBe(first.session?.userId);
  });

  test("is one for both providers when each has verified the same address and may", async () => {
    const email = address();
    const first = await signIn("acme", verified(email));
    const second = await signIn("other", verified(email));
    expect(second.session?.userId).toBe(first.session?.userId);
    expect((await loginsOf(first.session?.userId)).map(({ provider }) => provider)).toEqual(
      [acme.issuer, other.issuer].sort(),
    );
    const { providers } = await getProfile.execute({ ...stranger(), session: second.session }, {});
    expect(providers.map(({ id }) => id).sort()).toEqual(["acme", "other"]);
  });

  test("of a release that knew one provider is taken over by its issuer for the same address, and by no other", async () => {
    const [email, sub] = [address(), newId()];
    const created = await signUp.execute(stranger("203.0.113.7"), {
      email,
      password: "correct horse battery",
      workspace_name: "W",
    });
    await inspect(
      "INSERT INTO accounts (id, user_id, provider, provider_account_id) VALUES (gen_random_uuid(), $1, 'oidc', $2)",
      [created.user_id, sub],
    );
    const unproven = await signIn("acme", { claims: { sub } });
    expect(unproven.to).toContain("error=invalid_email");
    expect(unproven.visitor.refusals).toEqual([[{ provider: "acme", code: "invalid_email" }]]);
    bootWith({ ...acme.settings, SIGNUPS: "open", APP_URL: URL_HERE });
    const comesAs = async (vouching: Vouching) => {
      const visitor = authBrowser(URL_HERE);
      await visitor.comeBack(acme.approve(await visitor.leave("oidc"), vouching));
      return (await readSession(visitor.header))?.userId ?? null;
    };
    expect(await comesAs({ claims: { sub } })).toBeNull();
    expect(await comesAs(verified(address(), sub))).not.toBe(created.user_id);
    expect(await loginsOf(created.user_id)).toEqual([{ provider: "oidc" }]);
    await inspect("DELETE FROM accounts WHERE provider = $1", [acme.issuer]);
    expect(await comesAs(verified(email, sub))).toBe(created.user_id);
    expect(await loginsOf(created.user_id)).toEqual([{ provider: acme.issuer }]);
    expect(await comesAs({ claims: { sub } })).toBe(created.user_id);
    bootWith({ ...other.settings, SIGNUPS: "open", APP_URL: URL_HERE });
    const stolen = authBrowser(URL_HERE);
    expect(await stolen.comeBack(other.approve(await stolen.leave("oidc"), { claims: { sub } }))).toContain("error=");
    expect(stolen.sessionToken()).toBeNull();
  });

  test("that a stranger made under the address loses its password when a provider proves the address", async () => {
    const email = address();
    const account = { email, password: "correct horse battery", workspace_name: "W" };
    const { user_id } = await signUp.execute(stranger("203.0.113.8"), account);
    expect((await signIn("acme", verified(email))).session?.userId).toBe(user_id);
    expect(await inspect("SELECT password_hash FROM users WHERE id = $1", [user_id])).toEqual([
      { password_hash: null },
    ]);
  });
});

describe("the domains of a provider", () => {
  const domains = { acme: { domains: ["acme.example"] } };
  const refused = { session: null, to: expect.stringContaining("error=email_not_allowed") };

  test("are the only ones it signs in, also who was linked before", async () => {
    const [sub, email] = [newId(), address("elsewhere.example")];
    expect((await signIn("acme", verified(email, sub))).session).not.toBeNull();
    boot(domains);
    expect(await signIn("acme", verified(email, sub))).toMatchObject(refused);
    expect(await signIn("acme", verified(address("sub.acme.example")))).toMatchObject(refused);
    expect(await signIn("acme", verified(address("notacme.example")))).toMatchObject(refused);
    expect(await signIn("acme", { claims: { sub, email: address(), email_verified: false } })).toMatchObject({
      session: null,
      to: expect.stringContaining("error=invalid_email"),
    });
    expect((await signIn("acme", verified(address()))).session).not.toBeNull();
  });

  test("are closed to every other provider: it opens no account of theirs, and makes none", async () => {
    boot(domains);
    const email = address();
    const { session } = await signIn("acme", verified(email));
    for (const victim of [email, address(), email.toUpperCase(), ` ${email}`])
      expect(await signIn("other", verified(victim)), victim).toMatchObject(refused);
    expect(await loginsOf(session?.userId)).toEqual([{ provider: acme.issuer }]);
    expect((await signIn("other", verified(address("free.example")))).session).not.toBeNull();
  });
});

describe("an answer", () => {
  test("begun with one provider is refused at the address of another, and its code goes to neither", async () => {
    const visitor = authBrowser(URL_HERE);
    const back = acme.approve(await visitor.leave("acme"), verified(address()));
    const [codes, others] = [acme.unused, other.unused];
    back.pathname = back.pathname.replace(/acme$/, "other");
    expect(await visitor.comeBack(back)).toContain("error=");
    expect(visitor.sessionToken()).toBeNull();
    expect([acme.unused, other.unused]).toEqual([codes, others]);
  });

  test.each<[string, (back: URL) => void]>([
    ["names another issuer", (back) => back.searchParams.set("iss", other.issuer)],
    ["leaves out its issuer, which the metadata promise", (back) => back.searchParams.delete("iss")],
  ])("is refused before its code is sent when it %s", async (_what, change) => {
    acme.namesItself = true;
    const visitor = authBrowser(URL_HERE);
    const back = acme.approve(await visitor.leave("acme"), verified(address()));
    change(back);
    const codes = acme.unused;
    expect(await visitor.comeBack(back)).toContain("error=");
    expect(visitor.sessionToken()).toBeNull();
    expect(acme.unused).toBe(codes);
  });

  test("that names its issuer is taken", async () => {
    acme.namesItself = true;
    expect((await signIn("acme", verified(address()))).session).not.toBeNull();
  });

  test("with an ID token that the other provider has signed is refused", async () => {
    expect((await signIn("acme", { claims: { ...verified(address()).claims, iss: other.issuer } })).session).toBeNull();
  });

  test("leads back to an address of its provider alone, which asks for its own scopes and ways to sign in", async () => {
    boot({ acme: { scopes: ["groups"], acr_values: ["gold"] } });
    const asked = async (id: string) => new URL(await authBrowser(URL_HERE).leave(id)).searchParams;
    const [of, ofOther] = [await asked("acme"), await asked("other")];
    expect(of.get("redirect_uri")).toBe(`${URL_HERE}/api/auth/callback/acme`);
    expect(ofOther.get("redirect_uri")).toBe(`${URL_HERE}/api/auth/callback/other`);
    expect([of.get("scope"), of.get("acr_values")]).toEqual(["openid email profile groups", "gold"]);
    expect([ofOther.get("scope"), ofOther.get("acr_values")]).toEqual(["openid email profile", null]);
    expect((await signIn("acme", verified(address()))).session).toBeNull();
    const gold = verified(address());
    expect((await signIn("acme", { claims: { ...gold.claims, acr: "gold" } })).session).not.toBeNull();
  });
});
