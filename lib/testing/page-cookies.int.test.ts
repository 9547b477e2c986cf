/** Cookies that a page sets, and those of signing in, as a browser on https gets them. */
import { NextRequest } from "next/server";
import { afterAll, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { proxy } from "../../proxy.next.ts";
import { bootWith } from "./database.ts";
import { authBrowser, OidcProvider } from "./oidc.fixture.ts";

const HERE = "https://rapport.example";
const workspace = newId();
const before = process.env.NEXTAUTH_URL;
const provider = new OidcProvider();

beforeEach(() => bootWith({ APP_URL: HERE }));
afterAll(async () => {
  if (before === undefined) delete process.env.NEXTAUTH_URL;
  else process.env.NEXTAUTH_URL = before;
  await provider.stop();
});

/** What a page sets: name to value and attributes. */
const setBy = (cookie: string): Record<string, string> =>
  Object.fromEntries(
    proxy(new NextRequest(`${HERE}/${workspace}/home`, { headers: { cookie } }))
      .headers.getSetCookie()
      .map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );

test("every cookie of a page is for this host alone, and for https", () => {
  const cookies = setBy("");
  expect(Object.keys(cookies)).toEqual(["__Host-rapport-workspace"]);
  expect(cookies["__Host-rapport-workspace"]).toMatch(/^[-0-9a-f]{36}; Path=\/; .*Secure; HttpOnly; SameSite=lax$/);
  expect(setBy(`__Host-rapport-workspace=${workspace}`)).toEqual({});
});

test("the session of the release before goes on under the new name", () => {
  const cookies = setBy("__Secure-next-auth.session-token=abc.def");
  expect(cookies["__Host-next-auth.session-token"]).toMatch(/^abc\.def; Path=\/; .*Secure; HttpOnly; SameSite=lax$/);
  expect(cookies["__Secure-next-auth.session-token"]).toMatch(/^; Path=\/; .*Max-Age=0; Secure/);
});

test("an older session does not take the place of the newer one", () => {
  const cookies = setBy("__Secure-next-auth.session-token=old; __Host-next-auth.session-token=new");
  expect(cookies).not.toHaveProperty("__Host-next-auth.session-token");
  expect(cookies["__Secure-next-auth.session-token"]).toMatch(/^;/);
});

test("on http the names have no prefix, and nothing is renamed", () => {
  bootWith({ APP_URL: "http://localhost:3000" });
  expect(Object.keys(setBy("__Secure-next-auth.session-token=abc"))).toEqual(["rapport-workspace"]);
});

test("every cookie of signing in is for this host alone", async () => {
  await provider.start();
  process.env.NEXTAUTH_URL = HERE;
  bootWith({ ...provider.settings, APP_URL: HERE, SIGNUPS: "open" });
  const visitor = authBrowser(HERE);
  const back = provider.approve(await visitor.leave(), { claims: { email: "ada@idp.example", email_verified: true } });
  const asking = [...visitor.jar.keys()];
  await visitor.comeBack(back);
  const names = [...new Set([...asking, ...visitor.jar.keys()])].sort();
  expect(names).toEqual([
    "__Host-next-auth.callback-url",
    "__Host-next-auth.csrf-token",
    "__Host-next-auth.nonce",
    "__Host-next-auth.pkce.code_verifier",
    "__Host-next-auth.session-token",
    "__Host-next-auth.state",
  ]);
  expect(visitor.sessionToken()).not.toBeNull();
});
