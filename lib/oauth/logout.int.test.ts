/** Sign-in providers that say that a session there has ended (OpenID Connect Back-Channel Logout 1.0). */
import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { beforeEach, describe, expect, test } from "vitest";
import { readSession } from "#lib/auth/sessions.ts";
import { newId } from "#lib/core/ids.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { eventsOf } from "#lib/testing/events.fixture.ts";
import { authBrowser, OidcProvider } from "#lib/testing/oidc.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { URL_HERE, useOidcProvider } from "#lib/testing/use-oidc.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const server = useServer();
const [okta, other] = [useOidcProvider(), useOidcProvider()];

beforeEach(() => {
  bootWith({
    OIDC_PROVIDERS: JSON.stringify([okta.entry("okta", { name: "Okta" }), other.entry("other")]),
    SIGNUPS: "open",
    APP_URL: URL_HERE,
  });
});

/** Signs in; whether the session goes on, and what its cookie is. */
async function signIn(sub: string, sid?: string, provider: OidcProvider = okta) {
  const claims = { sub, sid, email: `${sub}@acme.example`, email_verified: true };
  const visitor = authBrowser(URL_HERE);
  const id = provider === okta ? "okta" : "other";
  await visitor.comeBack(provider.approve(await visitor.leave(id), { claims }));
  const session = await readSession(visitor.header);
  if (!session) throw new Error("not signed in");
  return { ...session, goesOn: async () => (await readSession(visitor.header)) !== null };
}

async function send(logout_token: string | Record<string, string>) {
  const form = typeof logout_token === "string" ? { logout_token } : logout_token;
  const response = await fetch(`${server.url()}/api/auth/backchannel-logout`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  return {
    status: response.status,
    cache: response.headers.get("cache-control"),
    body: (await response.json()) as Record<string, unknown>,
  };
}

const refused = (why: string | RegExp) => ({
  status: 400,
  cache: "no-store",
  body: { error: "invalid_request", error_description: expect.stringMatching(why) },
});

describe("a logout token", () => {
  test("ends the sessions of its session at the provider, and no other", async () => {
    const [ada, sid] = [newId(), randomUUID()];
    const [ended, elsewhere, grace] = [
      await signIn(ada, sid),
      await signIn(ada, randomUUID()),
      await signIn(newId(), sid),
    ];
    expect(await send(okta.logoutToken({ sub: ada, sid }))).toMatchObject({ status: 200, cache: "no-store" });
    expect([await ended.goesOn(), await elsewhere.goesOn(), await grace.goesOn()]).toEqual([false, true, true]);
  });

  test("with a session alone ends it, and with a person alone all of theirs at this provider", async () => {
    const [ada, sid] = [newId(), randomUUID()];
    const [one, two, away] = [await signIn(ada, sid), await signIn(ada), await signIn(ada, sid, other)];
    expect((await send(okta.logoutToken({ sid }))).status).toBe(200);
    expect([await one.goesOn(), await two.goesOn(), await away.goesOn()]).toEqual([false, true, true]);
    expect((await send(okta.logoutToken({ sub: ada }))).status).toBe(200);
    expect([await two.goesOn(), await away.goesOn()]).toEqual([false, true]);
  });

  test("with a person and a session ends those of theirs, too, whose session the provider never named", async () => {
    const ada = newId();
    const [unnamed, grace] = [await signIn(ada), await signIn(newId())];
    await send(okta.logoutToken({ sub: ada, sid: randomUUID() }));
    expect([await unnamed.goesOn(), await grace.goesOn()]).toEqual([false, true]);
  });

  test("of a person or session that is not known here changes nothing", async () => {
    const ada = await signIn(newId(), randomUUID());
    for (const who of [{ sub: "nobody" }, { sid: randomUUID() }, { sub: "nobody", sid: randomUUID() }])
      expect((await send(okta.logoutToken(who))).status).toBe(200);
    expect(await ada.goesOn()).toBe(true);
  });

  test("is in the audit log of each workspace, and closes what is open at once", async () => {
    const [ada, sid] = [newId(), randomUUID()];
    const session = await signIn(ada, sid);
    const { id } = await createTestWorkspace();
    await inspect(
      "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'member')",
      [id, session.userId],
    );
    const token = await encode({
      token: { sub: session.userId, sid: session.id },
      secret: getBoot().secrets.sessionSecret,
    });
    const cookie = `next-auth.session-token=${token}`;
    const headers = { cookie, origin: URL_HERE, "sec-fetch-site": "same-origin" };
    const stream = await eventsOf(`${server.url()}/api/app/${id}/live`, headers);
    expect((await stream.next())?.event).toBe("missed");
    const since = Date.now();
    expect((await send(okta.logoutToken({ sub: ada, sid }))).status).toBe(200);
    expect(await stream.next()).toBeNull();
    expect(Date.now() - since).toBeLessThan(25_000); // it was told, not found by the look every 30 s
    const entries = () =>
      inspect("SELECT actor, detail, ip FROM audit_log WHERE workspace_id = $1 AND action = 'user.sessions_ended'", [
        id,
      ]);
    await expect.poll(entries).toEqual([
      {
        actor: `user:${session.userId}`,
        detail: { email: session.email, ended_sessions: 1, provider: "Okta" },
        ip: expect.any(String),
      },
    ]);
  });
});

test("many at once are taken; what is refused is counted, and too much of it is told to wait", async () => {
  await inspect("DELETE FROM throttles");
  const good = Array.from({ length: 90 }, () => send(okta.logoutToken({ sub: "nobody" })));
  expect(new Set((await Promise.all(good)).map(({ status }) => status))).toEqual(new Set([200]));
  const wrong = () => send(okta.logoutToken({ sub: "nobody", aud: "someone-else" }));
  for (let n = 0; n < 60; n++) expect((await wrong()).status).toBe(400);
  const waits = { status: 429, body: { error: "temporarily_unavailable" } };
  expect(await wrong()).toMatchObject(waits);
  expect(await send(okta.logoutToken({ sub: "nobody" }))).toMatchObject(waits);
  await inspect("DELETE FROM throttles");
});

describe("refused is", () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const event = "http://schemas.openid.net/event/backchannel-logout";

  test.each<[string, Record<string, unknown>, Parameters<OidcProvider["logoutToken"]>[1], RegExp]>([
    ["signed by another key", {}, { signed: "by another key" }, /signature/],
    ["not signed", {}, { signed: "not at all" }, /refused/],
    ["of an issuer that is not ours", { iss: "https://evil.example" }, {}, /issuer/],
    ["of the other issuer", { iss: "the other" }, {}, /refused/],
    ["without an issuer", { iss: undefined }, {}, /issuer/],
    ["whose issuer is a number", { iss: 5 }, {}, /issuer/],
    ["for another client", { aud: "someone-else" }, {}, /aud/],
    ["without an audience", { aud: undefined }, {}, /aud/],
    ["without its time", { iat: undefined }, {}, /iat/],
    ["ten minutes old", { iat: now() - 600, exp: now() + 600 }, {}, /iat|past/],
    ["of the future", { iat: now() + 600, exp: now() + 900 }, {}, /iat/],
    ["that has expired", { exp: now() - 120 }, {}, /exp/],
    ["without an id", { jti: undefined }, {}, /jti/],
    ["without events", { events: undefined }, {}, /events/],
    ["with another event", { events: { "http://schemas.openid.net/event/other": {} } }, {}, /events/],
    ["whose event is no object", { events: { [event]: true } }, {}, /events/],
    ["with a nonce, as an ID token", { nonce: "n" }, {}, /nonce/],
    ["about no one", { sub: undefined }, {}, /neither/],
    ["about a number", { sub: 1 }, {}, /sub/],
    ["that is an access token", {}, { typ: "at+jwt" }, /type/],
  ])("a token %s", async (_what, claims, signing, why) => {
    const ada = newId();
    const session = await signIn(ada, randomUUID());
    const iss = claims.iss === "the other" ? { iss: other.issuer } : {};
    expect(await send(okta.logoutToken({ sub: ada, ...claims, ...iss }, signing))).toMatchObject(refused(why));
    expect(await session.goesOn()).toBe(true);
  });

  test("a token that was taken before: it ends no session that began since", async () => {
    const ada = newId();
    const first = await signIn(ada);
    const token = okta.logoutToken({ sub: ada });
    expect((await send(token)).status).toBe(200);
    const second = await signIn(ada);
    expect(await send(token)).toMatchObject(refused("sent before"));
    expect([await first.goesOn(), await second.goesOn()]).toEqual([false, true]);
    expect((await send(okta.logoutToken({ sub: ada }))).status).toBe(200);
    expect(await second.goesOn()).toBe(false);
  });

  test.each([
    ["no token", {}, "missing"],
    ["what is none", { logout_token: "hello" }, "Web Token"],
  ])("%s", async (_what, form, why) => {
    expect(await send(form as Record<string, string>)).toMatchObject(refused(why));
  });

  test("an ID token in its place", async () => {
    const ada = newId();
    const session = await signIn(ada);
    const idToken = okta.logoutToken({ sub: ada, events: undefined, nonce: "n" }, { typ: "JWT" });
    expect((await send(idToken)).status).toBe(400);
    expect(await session.goesOn()).toBe(true);
  });

  test("nothing for good when the provider's keys cannot be read: it is asked to try again", async () => {
    const gone = await new OidcProvider().start();
    const token = gone.logoutToken({ sub: "ada" });
    bootWith({ OIDC_PROVIDERS: JSON.stringify([gone.entry("gone")]), SIGNUPS: "open", APP_URL: URL_HERE });
    await gone.stop();
    expect(await send(token)).toMatchObject({ status: 502, body: { error: "temporarily_unavailable" } });
  });
});
