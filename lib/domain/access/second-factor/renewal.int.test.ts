/** Who confirms that it is them gets another token of their session (`lib/auth/sessions.ts`), and the one before ends. */
import { request } from "node:http";
import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test } from "vitest";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const { call, url } = useServer();
const password = "correct horse battery";

beforeAll(() => bootWith({ SIGNUPS: "open" }));

type Headers = Record<string, string>;

async function person() {
  const browser = await signedInBrowser(url());
  const before = browser.headers();
  const { sessionId, app } = browser;
  const change = (set: string) => inspect(`UPDATE sessions SET ${set} WHERE id = $1`, [sessionId]);
  await change("proven_at = now() - interval '16 minutes'");
  const confirm = (headers: Headers, body: object = { password }) => call("/api/account/confirm", { headers, body });
  /** What the browser sends once it has this answer's cookie. */
  const after = ({ headers }: Awaited<ReturnType<typeof confirm>>): Headers => {
    const [pair = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ");
    expect(attributes.sort()).toEqual(["HttpOnly", `Max-Age=${400 * 86_400}`, "Path=/", "SameSite=Lax"]);
    return { ...before, cookie: pair };
  };
  const members = async (headers: Headers) => (await call(`${app}/members`, { headers })).status;
  const isProven = async (headers: Headers) => (await confirm(headers, {})).status === 200;
  return { ...browser, before, change, confirm, after, members, isProven };
}

test("another token comes with the answer; the one before is answered for a moment, proves nothing, and ends", async () => {
  const { before, change, confirm, after, members, isProven, sessionId } = await person();
  const answer = await confirm(before);
  expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  const renewed = after(answer);
  expect(renewed.cookie).not.toBe(before.cookie);
  expect([await members(renewed), await isProven(renewed)]).toEqual([200, true]);
  expect([await members(before), await isProven(before)]).toEqual([200, false]);
  const { sessions } = (await call("/api/account/sessions", { headers: renewed })).body as { sessions: object[] };
  expect(sessions).toMatchObject([{ id: sessionId, current: true }]);
  await change("former_until = now()");
  expect([await members(renewed), await members(before)]).toEqual([200, 401]);
  await change("former_until = now() + interval '30 seconds'");
  const third = after(await confirm(renewed));
  expect([await members(third), await members(renewed), await members(before)]).toEqual([200, 200, 401]);
  await change("revoked_at = now()");
  expect([await members(third), await members(renewed)], "signing out ends both").toEqual([401, 401]);
});

test("a wrong proof changes nothing", async () => {
  const { before, confirm, members, isProven } = await person();
  const answer = await confirm(before, { password: "a wrong one" });
  expect([answer.status, answer.headers.get("set-cookie")]).toEqual([400, null]);
  expect([await members(before), await isProven(before)]).toEqual([200, false]);
  expect(await inspect("SELECT 1 FROM sessions WHERE renewals > 0 AND former_until IS NULL")).toEqual([]);
});

test("pages that confirm at once all go on with what any of them was given", async () => {
  const { before, confirm, after, change, members, isProven } = await person();
  const answers = await Promise.all([confirm(before), confirm(before), confirm(before)]);
  await change("former_until = now()");
  for (const answer of answers) {
    const headers = after(answer);
    expect([await members(headers), await isProven(headers)]).toEqual([200, true]);
  }
  expect(await members(before)).toBe(401);
});

test("a second factor that is given for the first time is of the new token alone", async () => {
  const { before, change, confirm, after, members, userId, sessionId } = await person();
  await change("proven_at = now()");
  const { secret } = (await call("/api/account/second-factor", { headers: before, body: {} })).body as {
    secret: string;
  };
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = app.generate();
  await call("/api/account/second-factor/confirm", { headers: before, body: { code } });
  await change("second_factor = false, asks_factor = true");
  expect(await members(before)).toBe(403);
  const renewed = after(await confirm(before, { code: app.generate({ timestamp: Date.now() + 30_000 }) }));
  expect([await members(renewed), await members(before)]).toEqual([200, 401]);
  expect(await inspect("SELECT id FROM sessions WHERE user_id = $1 AND second_factor", [userId])).toEqual([
    { id: sessionId },
  ]);
});

test("a request that began before, and whose body took longer than that, is answered", async () => {
  const { before, confirm, app, change, members } = await person();
  const slow = request(`${url()}${app}/v2/workspace/facts`, {
    method: "POST",
    headers: { ...before, "content-type": "application/json" },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    slow.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
  });
  slow.write('{"section":"ICP",');
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await confirm(before);
  await change("former_until = now() - interval '100 milliseconds'");
  expect(await members(before), "one that begins now").toBe(401);
  slow.end('"content":"Fintechs"}');
  expect(await answered).toBe(201);
});
