/** Passkeys as a browser uses them: added and removed over HTTP, and signed in with through next-auth. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { CHALLENGE_MS, mintChallenge } from "#lib/auth/passkey-challenges.ts";
import { readSession } from "#lib/auth/sessions.ts";
import type { NewPasskey, PasskeyAnswer } from "#lib/core/passkeys.ts";
import { resetSecondFactor } from "#lib/domain/access/second-factor/service.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { authBrowser } from "#lib/testing/oidc.fixture.ts";
import { softwarePasskey, type Wrong } from "#lib/testing/passkey.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const server = useServer();
/** Browsers take passkeys at localhost, and at no address without a name. */
const here = () => server.url().replace("127.0.0.1", "localhost");
const nextAuthUrl = process.env.NEXTAUTH_URL;

beforeAll(() => {
  bootWith({ SIGNUPS: "open" });
  process.env.NEXTAUTH_URL = here();
});
afterAll(() => {
  if (nextAuthUrl === undefined) delete process.env.NEXTAUTH_URL;
  else process.env.NEXTAUTH_URL = nextAuthUrl;
});
beforeEach(() => inspect("DELETE FROM throttles"));

type Options = { challenge: string; rpId: string; rp: { id: string }; user: { id: string } };

async function send(path: string, headers: Record<string, string>, body?: object, method = "POST") {
  const answer = await fetch(here() + path, {
    method,
    headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}

async function person() {
  const browser = await signedInBrowser(here());
  async function post(path: string, body: object = {}) {
    const answer = await send(`/api/account/${path}`, browser.headers(), body);
    browser.keep(answer.headers);
    return answer;
  }
  const begin = async () => (await post("passkeys/new")).body.options as Options;
  const challenge = async () => (await post("passkeys/challenge")).body.options as Options;
  const keep = (passkey: NewPasskey, name = "MacBook") => post("passkeys", { name, passkey });
  const remove = (id: unknown) => send(`/api/account/passkeys/${id}`, browser.headers(), undefined, "DELETE");
  const later = () =>
    inspect("UPDATE sessions SET proven_at = now() - interval '16 minutes' WHERE id = $1", [browser.sessionId]);
  /** With a passkey. */
  async function withPasskey() {
    const device = softwarePasskey(here());
    const added = await keep(device.create(await begin()));
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    return { device, ...(added.body as { passkey: { id: string }; recovery_codes: string[]; ended_sessions: number }) };
  }
  return { ...browser, post, begin, challenge, keep, remove, later, withPasskey };
}

const code = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.error];

/** What a stranger's browser is asked with on the sign-in page. */
const asked = async () =>
  (await send("/api/account/passkeys/challenge", { origin: here(), "sec-fetch-site": "same-origin" }, {})).body
    .options as Options;

/** Signs in; who is signed in then, and with what, or the code of the refusal. */
async function signIn(
  fields: { passkey: PasskeyAnswer; email?: string; password?: string },
  visitor = authBrowser(here()),
) {
  const { csrfToken } = (await visitor.get("/api/auth/csrf")).body as { csrfToken: string };
  const { passkey, ...account } = fields;
  const { to } = await visitor.post("/api/auth/callback/credentials", {
    ...account,
    csrfToken,
    passkey: JSON.stringify(passkey),
  });
  const session = await readSession(visitor.header);
  return session ?? new URL(to ?? "", here()).searchParams.get("error");
}

test("a passkey gets another name, and nobody else's does", async () => {
  const [ada, bo] = [await person(), await person()];
  const { passkey } = await ada.withPasskey();
  const rename = (who: typeof ada, name: string, id: string = passkey.id) =>
    send(`/api/account/passkeys/${id}`, who.headers(), { name }, "PATCH");
  expect((await rename(ada, " Work laptop ")).body).toMatchObject({ passkey: { id: passkey.id, name: "Work laptop" } });
  expect((await rename(ada, "Work laptop")).status).toBe(200);
  expect(code(await rename(bo, "Mine"))).toEqual([404, "passkey_not_found"]);
  expect(code(await rename(ada, "Mine", "nothing"))).toEqual([404, "passkey_not_found"]);
  for (const name of ["", " ", "x".repeat(61)]) expect((await rename(ada, name)).status, name).toBe(400);
  const profile = await send("/api/account/profile", ada.headers(), undefined, "GET");
  expect(profile.body).toMatchObject({ passkeys: [{ name: "Work laptop" }] });
  await backgroundDone();
  const log = await inspect(
    "SELECT detail FROM audit_log WHERE workspace_id = $1 AND action = 'user.passkey_renamed'",
    [ada.workspaceId],
  );
  expect(log).toMatchObject([{ detail: { from: "MacBook", name: "Work laptop" } }]);
});

describe("adding", () => {
  test("the first gives recovery codes and ends other sessions, another does not; both are listed", async () => {
    const ada = await person();
    await inspect("INSERT INTO sessions (id, user_id, expires_at) VALUES (gen_random_uuid(), $1, now() + '1 day')", [
      ada.userId,
    ]);
    const { recovery_codes, ended_sessions } = await ada.withPasskey();
    expect([new Set(recovery_codes).size, ended_sessions]).toEqual([10, 1]);
    const second = await ada.keep(softwarePasskey(here()).create(await ada.begin()), "Key");
    expect(second.body).toMatchObject({ passkey: { name: "Key" }, recovery_codes: null, ended_sessions: 0 });
    const profile = await send("/api/account/profile", ada.headers(), undefined, "GET");
    expect(profile.body).toMatchObject({
      passkeys: [{ name: "MacBook", last_used_at: null }, { name: "Key" }],
      second_factor: null,
      recovery_codes_left: 10,
    });
    await backgroundDone();
    const log = await inspect<{ action: string; detail: object }>(
      "SELECT action, detail FROM audit_log WHERE workspace_id = $1 AND action LIKE 'user.passkey%' ORDER BY id",
      [ada.workspaceId],
    );
    expect(log.map(({ action }) => action)).toEqual(["user.passkey_added", "user.passkey_added"]);
  });

  test("takes a device whose maker vouches for it, without asking the maker", async () => {
    const ada = await person();
    const device = softwarePasskey(here());
    expect((await ada.keep(device.create(await ada.begin(), { statement: "packed" }))).status).toBe(201);
    expect(await signIn({ passkey: device.answer(await asked()) })).toMatchObject({ userId: ada.userId });
  });

  test("goes on in a tab that was open when another one signed in", async () => {
    const ada = await person();
    const { device } = await ada.withPasskey();
    const ask = async (signs_in: boolean) =>
      (await ada.post("passkeys/challenge", { signs_in })).body.options as Options;
    expect(await signIn({ passkey: device.answer(await ask(true)) })).toMatchObject({ userId: ada.userId });
    expect(await signIn({ passkey: device.answer(await ask(false)) })).toBe("wrong_passkey");
    expect(code(await ada.post("confirm", { passkey: device.answer(await ask(true)) }))).toEqual([
      400,
      "wrong_passkey",
    ]);
  });

  test.each<[string, Wrong]>([
    ["of another origin", { origin: "https://evil.example" }],
    ["of another port", { origin: "http://localhost:1" }],
    ["of another site", { rpId: "evil.example" }],
    ["to another challenge", { challenge: Buffer.alloc(54, 7).toString("base64url") }],
    ["that answers a sign-in", { type: "webauthn.get" }],
    ["of a device that did not ask who the person is", { verified: false }],
  ])("is refused with one %s", async (_, wrong) => {
    const ada = await person();
    const options = await ada.begin();
    const device = softwarePasskey(here());
    expect(code(await ada.keep(device.create(options, wrong)))).toEqual([400, "wrong_passkey"]);
    expect(await inspect("SELECT 1 FROM passkeys WHERE user_id = $1", [ada.userId])).toEqual([]);
  });

  test("takes a challenge once, of this session, for adding, within five minutes", async () => {
    const [ada, bo] = [await person(), await person()];
    const wrong = [400, "wrong_passkey"];
    const options = await ada.begin();
    const create = (of: Options) => softwarePasskey(here()).create({ ...options, challenge: of.challenge });
    expect(code(await bo.keep(create(options)))).toEqual(wrong);
    expect(code(await ada.keep(create(await ada.challenge())))).toEqual(wrong);
    expect((await ada.keep(create(options))).status).toBe(201);
    expect(code(await ada.keep(create(options)))).toEqual(wrong);
    const about = { sessionId: ada.sessionId, purpose: "add" } as const;
    const of = (challenge: Buffer) => create({ ...options, challenge: challenge.toString("base64url") });
    const expired = mintChallenge(about, Date.now() - CHALLENGE_MS);
    expect(code(await ada.keep(of(expired)))).toEqual(wrong);
    const prolonged = mintChallenge(about);
    prolonged.writeUIntBE(prolonged.readUIntBE(16, 6) + 60_000, 16, 6);
    expect(code(await ada.keep(of(prolonged)))).toEqual(wrong);
    expect((await ada.keep(of(mintChallenge(about, Date.now() - CHALLENGE_MS + 60_000)))).status).toBe(201);
  });

  test("is refused for one that is there, and asks for a recent sign-in", async () => {
    const ada = await person();
    const { device } = await ada.withPasskey();
    expect(code(await ada.keep(device.create(await ada.begin())))).toEqual([409, "passkey_exists"]);
    await ada.later();
    expect(code(await ada.post("passkeys/new"))).toEqual([403, "recent_sign_in_required"]);
  });

  test("is not offered at an address that browsers do not take", async () => {
    const { headers } = await signedInBrowser(server.url());
    const answer = await server.call("/api/account/passkeys/new", { headers: headers(), body: {} });
    expect(code(answer)).toEqual([409, "passkeys_not_possible"]);
  });
});

describe("signing in", () => {
  test("with a passkey alone counts as a second factor and as a recent sign-in", async () => {
    const ada = await person();
    const { device } = await ada.withPasskey();
    const session = await signIn({ passkey: device.answer(await asked()) });
    expect(session).toMatchObject({ userId: ada.userId, secondFactor: true, byOidc: false });
    expect(Date.now() - Number((session as { provenAt: Date }).provenAt)).toBeLessThan(60_000);
  });

  test.each<[string, Wrong]>([
    ["of another origin", { origin: "https://evil.example" }],
    ["of another site", { rpId: "evil.example" }],
    ["to a challenge that we did not make", { challenge: Buffer.alloc(54, 7).toString("base64url") }],
    ["that was made to add one", { type: "webauthn.create" }],
    ["of a device that did not ask who the person is", { verified: false }],
    ["that says it is somebody else's", { userHandle: Buffer.alloc(16).toString("base64url") }],
    ["asked for by a page that frames ours", { crossOrigin: true, origin: "https://evil.example" }],
  ])("is refused with an answer %s", async (_, wrong) => {
    const { device } = await (await person()).withPasskey();
    expect(await signIn({ passkey: device.answer(await asked(), wrong) })).toBe("wrong_passkey");
  });

  test("is refused with a signature of another key, or over other bytes", async () => {
    const ada = await (await person()).withPasskey();
    const bo = await (await person()).withPasskey();
    const options = await asked();
    const [mine, theirs] = [ada.device.answer(options), bo.device.answer(options)];
    expect(await signIn({ passkey: { ...mine, signature: theirs.signature } })).toBe("wrong_passkey");
    const fresh = ada.device.answer(await asked());
    expect(await signIn({ passkey: { ...fresh, authenticator_data: mine.authenticator_data } })).toBe("wrong_passkey");
  });

  test("takes an answer once, also when it is sent twice at once", async () => {
    const { device } = await (await person()).withPasskey();
    const first = device.answer(await asked());
    expect(await signIn({ passkey: first })).toMatchObject({ secondFactor: true });
    expect(await signIn({ passkey: first })).toBe("wrong_passkey");
    const twice = device.answer(await asked());
    const both = await Promise.all([signIn({ passkey: twice }), signIn({ passkey: twice })]);
    expect(both.filter((each) => each === "wrong_passkey")).toHaveLength(1);
  });

  test("is refused once the device counts back, as a copy of it would, and the audit log is told whose it was", async () => {
    const ada = await person();
    const { device } = await ada.withPasskey();
    const visitor = authBrowser(here());
    const attempt = async (counter: number) =>
      signIn({ passkey: device.answer(await asked(), { counter }) }, counter < 8 ? visitor : undefined);
    expect(await signIn({ passkey: device.answer(await asked(), { counter: 7 }) })).toMatchObject({
      secondFactor: true,
    });
    for (const counter of [7, 3]) expect(await attempt(counter), `${counter}`).toBe("wrong_passkey");
    expect(await attempt(8)).toMatchObject({ secondFactor: true });
    const refusal = [{ userId: ada.userId }, "passkey"];
    expect(visitor.refusals).toEqual([refusal, refusal]);
  });

  test("is refused to a disabled account, and the audit log is told", async () => {
    const ada = await person();
    const { device } = await ada.withPasskey();
    await inspect("UPDATE users SET disabled_at = now() WHERE id = $1", [ada.userId]);
    const visitor = authBrowser(here());
    expect(await signIn({ passkey: device.answer(await asked()) }, visitor)).toBe("account_disabled");
    const given = { email: ada.email, password: "correct horse battery", passkey: device.answer(await asked()) };
    expect(await signIn(given, visitor)).toBe("account_disabled");
    expect(visitor.refusals).toEqual([
      [{ userId: ada.userId }, "disabled account"],
      [{ email: ada.email }, "disabled account"],
    ]);
  });

  test("takes a device that does not count", async () => {
    const { device } = await (await person()).withPasskey();
    for (let times = 0; times < 2; times++)
      expect(await signIn({ passkey: device.answer(await asked(), { counter: 0 }) })).toMatchObject({
        secondFactor: true,
      });
  });

  test("by password asks for one of the person's own, and takes no one else's", async () => {
    const [ada, bo] = [await person(), await person()];
    const { device, recovery_codes } = await ada.withPasskey();
    const other = await bo.withPasskey();
    const account = { email: ada.email, password: "correct horse battery" };
    const attempt = async (passkey: PasskeyAnswer, password = account.password) =>
      signIn({ ...account, password, passkey });
    expect(await attempt(other.device.answer(await asked()))).toBe("wrong_passkey");
    expect(await attempt(device.answer(await asked()), "a wrong password")).toBe("CredentialsSignin");
    expect(await attempt(device.answer(await asked()))).toMatchObject({ userId: ada.userId, secondFactor: true });
    const visitor = authBrowser(here());
    const { csrfToken } = (await visitor.get("/api/auth/csrf")).body as { csrfToken: string };
    const byCode = async (fields: object) =>
      (await visitor.post("/api/auth/callback/credentials", { ...account, csrfToken, ...fields })).to ?? "";
    expect(await byCode({})).toContain("error=code_required");
    expect(await byCode({ code: recovery_codes[0] })).not.toContain("error");
    expect(await readSession(visitor.header)).toMatchObject({ userId: ada.userId, secondFactor: true });
  });

  test("is refused with a passkey that was removed", async () => {
    const ada = await person();
    const { device, passkey } = await ada.withPasskey();
    const answer = device.answer(await asked());
    expect((await ada.remove(passkey.id)).status).toBe(200);
    expect(await signIn({ passkey: answer })).toBe("wrong_passkey");
    expect(code(await ada.remove(passkey.id))).toEqual([404, "passkey_not_found"]);
  });
});

describe("confirming who one is", () => {
  test("takes a passkey of one's own, asked for in this session, once", async () => {
    const [ada, bo] = [await person(), await person()];
    const { device } = await ada.withPasskey();
    const other = await bo.withPasskey();
    await ada.later();
    const confirm = (passkey: PasskeyAnswer) => ada.post("confirm", { passkey });
    const wrong = [400, "wrong_passkey"];
    expect(code(await confirm(other.device.answer(await ada.challenge())))).toEqual(wrong);
    expect(code(await confirm(device.answer(await bo.challenge())))).toEqual(wrong);
    expect(code(await confirm(device.answer(await asked())))).toEqual(wrong);
    expect(code(await ada.post("confirm", { password: "correct horse battery" }))).toEqual([400, "wrong_code"]);
    expect(code(await ada.post("confirm"))).toEqual([403, "recent_sign_in_required"]);
    const answer = device.answer(await ada.challenge());
    expect((await confirm(answer)).status).toBe(200);
    expect((await ada.post("confirm")).status).toBe(200);
    expect(code(await confirm(answer))).toEqual(wrong);
  });
});

describe("a session that a provider began", () => {
  test("neither adds nor removes a second factor of who has one before it was given", async () => {
    const ada = await person();
    const { device, passkey, recovery_codes } = await ada.withPasskey();
    const options = await ada.begin();
    await inspect("UPDATE sessions SET second_factor = false WHERE id = $1", [ada.sessionId]);
    const tries = [
      () => ada.post("passkeys/new"),
      () => ada.keep(softwarePasskey(here()).create(options), "Key"),
      () => ada.remove(passkey.id),
      () => ada.post("second-factor"),
      () => ada.post("second-factor/confirm", { code: "123456" }),
      () => ada.post("second-factor/recovery-codes"),
    ];
    for (const attempt of tries) {
      const { status, body } = await attempt();
      expect([status, body.error, body.message]).toEqual([
        403,
        "recent_sign_in_required",
        expect.stringContaining("did not give it in this session"),
      ]);
    }
    expect((await ada.post("confirm", { passkey: device.answer(await ada.challenge()) })).status).toBe(200);
    expect((await ada.post("second-factor")).status).toBe(201);
    expect((await ada.post("confirm", { code: recovery_codes[0] })).status).toBe(200);
  });
});

describe("recovery codes", () => {
  test("are made anew by who has passkeys only, in a session that gave one; those before stop working", async () => {
    const ada = await person();
    const { recovery_codes } = await ada.withPasskey();
    const renewed = (await ada.post("second-factor/recovery-codes")).body.recovery_codes as string[];
    expect(new Set([...renewed, ...recovery_codes]).size).toBe(20);
    expect(code(await ada.post("confirm", { code: recovery_codes[1] }))).toEqual([400, "wrong_code"]);
    expect((await ada.post("confirm", { code: renewed[1] })).status).toBe(200);
    await inspect("UPDATE sessions SET second_factor = false WHERE id = $1", [ada.sessionId]);
    expect(code(await ada.post("second-factor/recovery-codes"))).toEqual([403, "recent_sign_in_required"]);
    expect(code(await (await person()).post("second-factor/recovery-codes"))).toEqual([409, "second_factor_missing"]);
  });

  test("do not remove an app that is not there, and none is used up", async () => {
    const ada = await person();
    const { recovery_codes } = await ada.withPasskey();
    const removed = await ada.post("second-factor/remove", { code: recovery_codes[0] });
    expect(code(removed)).toEqual([409, "second_factor_missing"]);
    expect((await ada.post("confirm", { code: recovery_codes[0] })).status).toBe(200);
  });
});

describe("removing", () => {
  test("by the operator takes passkeys and recovery codes, and ends the sessions", async () => {
    const ada = await person();
    const { device } = await ada.withPasskey();
    expect(await resetSecondFactor(ada.email, "root")).toEqual({ email: ada.email, removed: true });
    expect((await ada.post("confirm")).status).toBe(401);
    expect(await signIn({ passkey: device.answer(await asked()) })).toBe("wrong_passkey");
    expect(await inspect("SELECT 1 FROM recovery_codes WHERE user_id = $1", [ada.userId])).toEqual([]);
    expect(await resetSecondFactor(ada.email, "root")).toEqual({ email: ada.email, removed: false });
  });

  test("is one's own only; with the last go the recovery codes and what sessions proved", async () => {
    const [ada, bo] = [await person(), await person()];
    const { passkey } = await ada.withPasskey();
    const second = await ada.keep(softwarePasskey(here()).create(await ada.begin()), "Key");
    const other = (second.body.passkey as { id: string }).id;
    expect(code(await bo.remove(passkey.id))).toEqual([404, "passkey_not_found"]);
    const state = async () =>
      inspect(
        `SELECT (SELECT count(*)::int FROM recovery_codes WHERE user_id = $1) AS codes, bool_or(second_factor) AS proven
         FROM sessions WHERE user_id = $1 AND revoked_at IS NULL`,
        [ada.userId],
      );
    expect((await ada.remove(passkey.id)).status).toBe(200);
    expect(await state()).toEqual([{ codes: 10, proven: true }]);
    expect((await ada.remove(other)).status).toBe(200);
    expect(await state()).toEqual([{ codes: 0, proven: false }]);
    await ada.later();
    expect(code(await ada.remove(other))).toEqual([403, "recent_sign_in_required"]);
  });

  test("the last is refused where a workspace demands a second factor, also of two at once", async () => {
    const ada = await person();
    const { passkey } = await ada.withPasskey();
    const second = await ada.keep(softwarePasskey(here()).create(await ada.begin()), "Key");
    await inspect("UPDATE workspaces SET sign_in_demand = 'second_factor' WHERE id = $1", [ada.workspaceId]);
    const both = await Promise.all([passkey, second.body.passkey as { id: string }].map(({ id }) => ada.remove(id)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ error: "second_factor_demanded", message: expect.stringContaining("Acme") });
    expect(await inspect("SELECT 1 FROM passkeys WHERE user_id = $1", [ada.userId])).toHaveLength(1);
  });
});
