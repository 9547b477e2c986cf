/** Signing in with an OpenID provider, as a stranger would try it. */
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { invite, revokeInvitation } from "#lib/domain/access/members/service.ts";
import { getProfile, signUp } from "#lib/domain/workspace/users/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { authBrowser, type Vouching } from "#lib/testing/oidc.fixture.ts";
import { URL_HERE, useOidcProvider } from "#lib/testing/use-oidc.fixture.ts";
import { signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import { callerFor, readSession } from "./sessions.ts";

const provider = useOidcProvider();
const boot = (SIGNUPS: "open" | "invite") => bootWith({ ...provider.settings, SIGNUPS, APP_URL: URL_HERE });

beforeEach(() => boot("open"));

const browser = () => authBrowser(URL_HERE);
let people = 0;
/** What the provider says about someone who has no account here. */
const someone = (more: Record<string, unknown> = {}) => {
  const sub = `person${++people}`;
  return { claims: { sub, name: "Ada", email: `${sub}@idp.example`, email_verified: true, ...more } };
};
const userOf = (email: string) => inspect<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);

/** Signs in; where it led, and who is signed in then. */
async function attempt(vouching: Vouching, callbackUrl?: string, visitor = browser()) {
  const to = await visitor.comeBack(provider.approve(await visitor.leave("oidc", callbackUrl), vouching));
  return { to, session: await readSession(visitor.header), visitor };
}

const refused = { session: null, to: expect.stringMatching(/^http:\/\/localhost:4321\/api\/auth\/error\?error=/) };

describe("signing in with an OpenID provider", () => {
  test("asks with state, nonce and a PKCE challenge, and signs in who comes back with them", async () => {
    const visitor = browser();
    const asked = new URL(await visitor.leave()).searchParams;
    for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)?.length).toBeGreaterThan(20);
    expect(asked.get("code_challenge_method")).toBe("S256");
    const { session, to } = await attempt(someone(), "/welcome");
    expect([session?.email, to]).toEqual([`person${people}@idp.example`, `${URL_HERE}/welcome`]);
    expect(session).toMatchObject({ byOidc: true, secondFactor: false });
  });

  test("is listed with the name of its button, and without one where the server no longer offers it", async () => {
    bootWith({ ...provider.settings, OIDC_NAME: "Okta", SIGNUPS: "open", APP_URL: URL_HERE });
    const { session } = await attempt(someone());
    const me = await signedIn(session?.userId ?? "");
    expect(await getProfile.execute(me, {})).toMatchObject({ providers: [{ id: "oidc", name: "Okta" }] });
    bootWith({ SIGNUPS: "open", APP_URL: URL_HERE });
    expect(await getProfile.execute(me, {})).toMatchObject({
      providers: [{ id: provider.settings.OIDC_ISSUER, name: null }],
    });
  });

  test("is refused in a browser that did not ask, and a second time in the one that did", async () => {
    const [mine, theirs] = [browser(), browser()];
    const back = provider.approve(await mine.leave(), someone());
    await theirs.leave();
    for (const other of [browser(), theirs]) {
      expect(await other.comeBack(back)).toMatch(/error=/);
      expect(other.sessionToken()).toBeNull();
    }
    const [first, second] = [browser(), someone()];
    const used = provider.approve(await first.leave(), second);
    await first.comeBack(used);
    expect(await readSession(first.header)).not.toBeNull();
    const token = first.sessionToken();
    expect(await first.comeBack(used)).toMatch(/error=/);
    expect(first.sessionToken()).toBe(token);
  });

  test("is refused with the code of another sign-in under one's own state", async () => {
    const [mine, theirs] = [browser(), browser()];
    const stolen = provider.approve(await theirs.leave(), someone());
    const back = provider.approve(await mine.leave(), someone());
    back.searchParams.set("code", stolen.searchParams.get("code") as string);
    expect(await mine.comeBack(back)).toMatch(/error=/);
    expect(mine.sessionToken()).toBeNull();
  });

  test.each(["state", "code"])("is refused without %s", async (name) => {
    const visitor = browser();
    const back = provider.approve(await visitor.leave(), someone());
    back.searchParams.delete(name);
    expect(await visitor.comeBack(back)).toMatch(/error=/);
    expect(visitor.sessionToken()).toBeNull();
  });

  test.each(["state", "nonce", "pkce.code_verifier"])("is refused when the cookie of %s is gone", async (name) => {
    const visitor = browser();
    const back = provider.approve(await visitor.leave(), someone());
    const cookie = [...visitor.jar.keys()].find((each) => each.endsWith(name));
    expect(visitor.jar.delete(String(cookie))).toBe(true);
    expect(await visitor.comeBack(back)).toMatch(/error=/);
    expect(visitor.sessionToken()).toBeNull();
  });

  const now = Math.floor(Date.now() / 1000);
  test.each<[string, Vouching]>([
    ["signed by another key", { signed: "by another key" }],
    ["not signed", { signed: "not at all" }],
    ["for another client", { claims: { aud: "someone-else" } }],
    ["of another issuer", { claims: { iss: "https://evil.example" } }],
    ["that has expired", { claims: { iat: now - 900, exp: now - 600 } }],
    ["with another nonce", { claims: { nonce: "another" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
  ])("is refused with an ID token %s", async (_, { claims, signed }) => {
    const person = someone(claims);
    expect(await attempt({ ...person, ...(signed ? { signed } : {}) })).toMatchObject(refused);
    expect(await userOf(person.claims.email)).toEqual([]);
  });

  test("is refused when the metadata name another issuer, before it gets the code", async () => {
    const before = provider.unused;
    provider.poses = "https://idp.elsewhere.example";
    const back = await attempt(someone()).finally(() => (provider.poses = undefined));
    expect(back).toMatchObject(refused);
    expect(provider.unused).toBe(before + 1);
  });

  test("takes an issuer that differs by the slash at its end only", async () => {
    bootWith({ ...provider.settings, OIDC_ISSUER: `${provider.issuer}/`, SIGNUPS: "open", APP_URL: URL_HERE });
    expect((await attempt(someone())).session).not.toBeNull();
  });

  test.each([
    ["one that is asked for", { acr: "gold" }, true],
    ["the other", { acr: "urn:silver" }, true],
    ["another", { acr: "password" }, false],
    ["none", {}, false],
  ])("where OIDC_ACR_VALUES asks for ways to sign in, with %s", async (_what, claims, passes) => {
    bootWith({ ...provider.settings, OIDC_ACR_VALUES: "gold urn:silver", SIGNUPS: "open", APP_URL: URL_HERE });
    const visitor = browser();
    expect(new URL(await visitor.leave()).searchParams.get("acr_values")).toBe("gold urn:silver");
    expect((await attempt(someone(claims))).session !== null).toBe(passes);
  });

  test.each([
    ["a minute ago", 60, 60],
    ["an hour ago", 3_600, 3_600],
    ["never said when", undefined, 0],
    ["in the future", -3_600, 0],
  ])("counts as a proof of then, when the provider asked the person %s", async (_when, ago, seconds) => {
    const claims = ago === undefined ? {} : { auth_time: Math.floor(Date.now() / 1_000) - ago };
    const { session } = await attempt(someone(claims));
    const age = (Date.now() - (session?.provenAt.getTime() ?? 0)) / 1_000;
    expect(Math.abs(age - seconds)).toBeLessThan(30);
  });

  test("asks the provider when it asked the person, so that it has to say so", async () => {
    const visitor = browser();
    expect(new URL(await visitor.leave()).searchParams.get("max_age")).toBe(String(90 * 86_400));
  });

  test("is refused without a verified address, in the same way whether there is an account with it or not", async () => {
    const account = { email: "known@acme.example", password: "correct horse battery", workspace_name: "W" };
    const { user_id } = await signUp.execute(stranger(), account);
    const answers = new Set<string>();
    for (const email of [account.email, "nobody@acme.example"])
      for (const email_verified of [false, undefined, null, "false", "yes", 1, "TRUE"]) {
        const answered = await attempt(someone({ email, email_verified }));
        expect(answered).toMatchObject(refused);
        answers.add(answered.to);
      }
    expect([...answers]).toEqual([expect.stringContaining("error=invalid_email")]);
    expect(await inspect("SELECT 1 FROM accounts WHERE user_id = $1", [user_id])).toEqual([]);
    expect(await userOf("nobody@acme.example")).toEqual([]);
  });

  test("never adopts the session that the browser came with, and ends it", async () => {
    const planted = await attempt(someone());
    const victim = authBrowser(URL_HERE, new Map(planted.visitor.jar));
    const { session } = await attempt(someone(), "/", victim);
    expect(session?.id).not.toBe(planted.session?.id);
    expect(session?.email).toBe(`person${people}@idp.example`);
    expect(await readSession(planted.visitor.header)).toBeNull();
  });

  test.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://localhost:4321.evil.example/",
    "http://localhost:4321@evil.example/",
    "https://localhost:4321/",
    "no address",
    "/%5cevil.example\n//evil.example",
  ])("leads to this site, whatever it was to lead to: %j", async (callbackUrl) => {
    const { to, session } = await attempt(someone(), callbackUrl);
    expect(session).not.toBeNull();
    expect(new URL(to, URL_HERE).origin).toBe(URL_HERE);
  });

  test("begins only with next-auth's token against forgery, and so does signing in with a password", async () => {
    const visitor = browser();
    for (const path of ["/api/auth/signin/oidc", "/api/auth/callback/credentials"])
      for (const csrfToken of ["", "wrong"]) {
        const { to } = await visitor.post(path, { csrfToken, email: "a@acme.example", password: "x" });
        expect(to ?? "").not.toContain(provider.issuer);
        expect(visitor.sessionToken()).toBeNull();
      }
  });
});

describe("where sign-ups are closed", () => {
  async function invited(email?: string) {
    const [owner, account] = [await founder(), email ? { email } : {}];
    const { link, invitation } = await invite.execute(owner, account);
    boot("invite");
    return { owner, link, invitation };
  }

  async function founder() {
    const account = { email: `${newId()}@acme.example`, password: "correct horse battery", workspace_name: "W" };
    const { user_id, workspace_id } = await signUp.execute(stranger(`203.0.113.${++people}`), account);
    const caller = callerFor((await signedIn(user_id)).session, workspace_id, newId());
    if (!caller) throw new Error("a founder is no member");
    return caller;
  }

  const closed = { session: null, to: expect.stringContaining("error=signups_closed") };

  test("a stranger gets no account", async () => {
    boot("invite");
    const person = someone();
    expect(await attempt(person)).toMatchObject(closed);
    expect(await userOf(person.claims.email)).toEqual([]);
  });

  test("who has an invitation gets an account, and nothing else until they accept", async () => {
    const { link } = await invited();
    const { session, to } = await attempt(someone(), link);
    expect([session?.memberships, to]).toEqual([[], link]);
  });

  test("an invitation that was withdrawn, has expired or is made up gives no account", async () => {
    const withdrawn = await invited();
    await revokeInvitation.execute(withdrawn.owner, { id: withdrawn.invitation.id });
    boot("open");
    const expired = await invited();
    await inspect("UPDATE invitations SET expires_at = now() WHERE id = $1", [expired.invitation.id]);
    for (const link of [withdrawn.link, expired.link, "/invite/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "/invite/"])
      expect(await attempt(someone(), link), link).toMatchObject(closed);
  });
});
