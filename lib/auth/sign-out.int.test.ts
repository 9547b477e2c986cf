/** Signing out on https, also on a page that a release before 0.2.0 served: its session's cookie has the old name. */
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getBoot } from "#lib/settings/boot.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith } from "#lib/testing/database.ts";
import { authBrowser } from "#lib/testing/oidc.fixture.ts";
import { liveSession, readSession } from "./sessions.ts";

const HERE = "https://rapport.example";
const before = process.env.NEXTAUTH_URL;

beforeAll(() => {
  process.env.NEXTAUTH_URL = HERE;
  bootWith({ SIGNUPS: "open", APP_URL: HERE });
});
afterAll(() => {
  if (before === undefined) delete process.env.NEXTAUTH_URL;
  else process.env.NEXTAUTH_URL = before;
});

test.each(["__Host-", "__Secure-"])("ends the session of a cookie with the prefix %s", async (prefix) => {
  const { userId, sessionId } = await signedInBrowser(HERE);
  const secret = getBoot().secrets.sessionSecret;
  const name = `${prefix}next-auth.session-token`;
  const browser = authBrowser(
    HERE,
    new Map([[name, await encode({ token: { sub: userId, sid: sessionId }, secret })]]),
  );
  expect(await readSession(browser.header)).toMatchObject({ userId });
  const { csrfToken } = (await browser.get("/api/auth/csrf")).body as { csrfToken: string };
  await browser.post("/api/auth/signout", { csrfToken: "forged", json: "true" });
  expect(await liveSession(sessionId, userId)).not.toBeNull();
  await browser.post("/api/auth/signout", { csrfToken, json: "true" });
  expect(await liveSession(sessionId, userId)).toBeNull();
  expect([...browser.jar.keys()]).not.toContain(name);
});
