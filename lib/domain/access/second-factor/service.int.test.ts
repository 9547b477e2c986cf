import { Secret, TOTP } from "otpauth";
import { beforeAll, describe, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { recoveryCodeHash } from "#lib/auth/secret-tokens.ts";
import { callerFor } from "#lib/auth/sessions.ts";
import { signInWithPassword } from "#lib/auth/sign-in.ts";
import { mintApiKey } from "#lib/domain/access/api-keys/service.ts";
import { encryptedColumns } from "#lib/domain/encrypted-columns.ts";
import type { SignedIn } from "#lib/domain/implement-user.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { openWorkspaceExport } from "#lib/domain/workspace/privacy/service.ts";
import { changePassword, getProfile, signUp } from "#lib/domain/workspace/users/service.ts";
import { deleteWorkspace } from "#lib/domain/workspace/workspaces/service.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { sessionOf, signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import {
  beginSecondFactor,
  confirmIdentity,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} from "./service.ts";

const password = "correct horse battery";
let count = 0;

beforeAll(() => bootWith({ SIGNUPS: "open" }));

async function somebody() {
  const email = `factor${++count}@acme.example`;
  const ip = `203.0.113.${count}`;
  const { user_id, workspace_id } = await signUp.execute(stranger(ip), { email, password, workspace_name: "W" });
  return { userId: user_id, workspaceId: workspace_id, email, ip, me: await signedIn(user_id, ip) };
}

/** The code that the app shows `steps` half minutes from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Someone with a second factor, whose code of now is used up; that of the next half minute is accepted too. */
async function guarded() {
  const person = await somebody();
  const { secret } = await beginSecondFactor.execute(person.me, {});
  const used = codeOf(secret);
  const { recovery_codes } = await confirmSecondFactor.execute(person.me, { code: used });
  const attempt = (code?: string, tried = password) =>
    signInWithPassword({ email: person.email, password: tried, ip: person.ip, ...(code ? { code } : {}) }).then(
      (user) => (user ? (user.factor ?? "in") : "no"),
      (error) => error.code as string,
    );
  return { ...person, secret, used, recovery: recovery_codes, attempt };
}

/** Lets the session's proof grow old. */
async function later(me: SignedIn, minutes = 16): Promise<SignedIn> {
  const { id, userId } = me.session;
  await inspect(`UPDATE sessions SET proven_at = now() - interval '${minutes} minutes' WHERE id = $1`, [id]);
  return { ...me, session: await sessionOf(id, userId) };
}
const again = async (me: SignedIn): Promise<SignedIn> => ({
  ...me,
  session: await sessionOf(me.session.id, me.session.userId),
});

describe("setting up", () => {
  test("asks for nothing until a code has confirmed it, then shows ten recovery codes once", async () => {
    const { me, email, ip, userId } = await somebody();
    const elsewhere = await signedIn(userId);
    const first = await beginSecondFactor.execute(me, {});
    const { secret, uri, qr } = await beginSecondFactor.execute(me, {});
    expect(secret).not.toBe(first.secret);
    expect(uri).toContain(`secret=${secret}`);
    expect(qr.path).toMatch(/^M/);
    expect(await signInWithPassword({ email, password, ip })).toMatchObject({ factor: null });
    await expect(confirmSecondFactor.execute(me, { code: codeOf(first.secret) })).rejects.toMatchObject({
      code: "wrong_code",
    });
    const { recovery_codes, ended_sessions } = await confirmSecondFactor.execute(me, { code: codeOf(secret) });
    expect(new Set(recovery_codes).size).toBe(10);
    expect(ended_sessions).toBe(1);
    await expect(sessionOf(elsewhere.session.id, userId)).rejects.toThrow("ended");
    expect(await getProfile.execute(me, {})).toMatchObject({ second_factor: {}, recovery_codes_left: 10 });
    await expect(beginSecondFactor.execute(await again(me), {})).rejects.toMatchObject({
      code: "second_factor_exists",
    });
    await expect(confirmSecondFactor.execute(await again(me), { code: codeOf(secret, 1) })).rejects.toMatchObject({
      code: "second_factor_exists",
    });
    const stored = JSON.stringify([
      await inspect("SELECT * FROM second_factors WHERE user_id = $1", [userId]),
      await inspect("SELECT encode(code_hash, 'escape') FROM recovery_codes WHERE user_id = $1", [userId]),
    ]);
    for (const clear of [secret, ...recovery_codes]) expect(stored).not.toContain(clear);
    const keyed = recovery_codes.map((code) => recoveryCodeHash(code, getBoot().secrets.sessionSecret).toString("hex"));
    const hashes = await inspect<{ hex: string }>(
      "SELECT encode(code_hash, 'hex') AS hex FROM recovery_codes WHERE user_id = $1",
      [userId],
    );
    expect(
      hashes.map(({ hex }) => hex).filter((hex) => keyed.includes(hex)),
      "not by a fast hash",
    ).toEqual([]);
    expect(encryptedColumns.map(({ table }) => table)).toContain("second_factors");
  });
});

describe("signing in", () => {
  test("asks for the code after the right password only, and takes each code once", async () => {
    const { attempt, secret, used } = await guarded();
    expect(await attempt(undefined, "a wrong password")).toBe("no");
    expect(await attempt(codeOf(secret, 1), "a wrong password")).toBe("no");
    expect(await attempt()).toBe("code_required");
    expect(await attempt(used), "the one that confirmed it").toBe("wrong_code");
    const next = codeOf(secret, 1);
    expect(await attempt(next)).toBe("app");
    expect(await attempt(next), "again").toBe("wrong_code");
  });

  test("takes no code from far away in time, of another person, or of another form", async () => {
    const { attempt, secret } = await guarded();
    const other = await guarded();
    expect(await attempt(codeOf(secret, 3))).toBe("wrong_code");
    expect(await attempt(codeOf(other.secret, 1))).toBe("wrong_code");
    expect(await attempt(other.recovery[0])).toBe("wrong_code");
    expect(await attempt("12345")).toBe("wrong_code");
  });

  test("of two sign-ins at once with one code, one succeeds", async () => {
    const { attempt, secret, recovery } = await guarded();
    const code = codeOf(secret, 1);
    expect((await Promise.all([attempt(code), attempt(code)])).sort()).toEqual(["app", "wrong_code"]);
    await inspect("DELETE FROM throttles");
    const [spare] = recovery;
    expect((await Promise.all([attempt(spare), attempt(spare)])).sort()).toEqual(["recovery code", "wrong_code"]);
  });

  test("takes a recovery code of before SESSION_SECRET changed, while the old one stands behind the new", async () => {
    const { attempt, recovery } = await guarded();
    const boot = getBoot();
    const under = (...oldSessionSecrets: string[]) =>
      setBoot({ ...boot, secrets: { ...boot.secrets, sessionSecret: "n".repeat(32), oldSessionSecrets } });
    try {
      under();
      expect(await attempt(recovery[0])).toBe("wrong_code");
      under(boot.secrets.sessionSecret);
      expect(await attempt(recovery[0])).toBe("recovery code");
      expect(await attempt(recovery[0]), "again").toBe("wrong_code");
    } finally {
      setBoot(boot);
    }
  });

  test("takes a recovery code in any writing, once", async () => {
    const { attempt, recovery, me } = await guarded();
    const [first = "", second] = recovery;
    expect(await attempt(` ${first.toLowerCase().replaceAll("-", " ")}`)).toBe("recovery code");
    expect(await attempt(first)).toBe("wrong_code");
    expect(await attempt(second)).toBe("recovery code");
    expect(await getProfile.execute(me, {})).toMatchObject({ recovery_codes_left: 8 });
  });

  test("guessing is slowed down for the person, wherever it comes from", async () => {
    const { email, secret } = await guarded();
    const guess = (n: number, code: string) =>
      signInWithPassword({ email, password, code, ip: `198.51.100.${n}` }).catch((error) => error.code);
    const answers = [];
    for (let n = 1; n <= 6; n++) answers.push(await guess(n, "000000"));
    expect(answers).toEqual([...Array(5).fill("wrong_code"), "rate_limited"]);
    expect(await guess(9, codeOf(secret, 1))).toBe("rate_limited");
  });
});

describe("removing", () => {
  test("takes a code, after which the password alone signs in", async () => {
    const { me, attempt, recovery, secret, workspaceId } = await guarded();
    await expect(removeSecondFactor.execute(me, { code: "000000" })).rejects.toMatchObject({ code: "wrong_code" });
    const renewed = await renewRecoveryCodes.execute(me, { code: codeOf(secret, 1) });
    const [old = "", fresh = ""] = [recovery[0], renewed.recovery_codes[0]];
    await expect(removeSecondFactor.execute(me, { code: old })).rejects.toMatchObject({ code: "wrong_code" });
    await removeSecondFactor.execute(me, { code: fresh });
    expect(await attempt()).toBe("in");
    expect(await getProfile.execute(me, {})).toMatchObject({ second_factor: null, recovery_codes_left: 0 });
    await expect(removeSecondFactor.execute(me, { code: fresh })).rejects.toMatchObject({
      code: "second_factor_missing",
    });
    await backgroundDone();
    const caller = callerFor(me.session, workspaceId, "r");
    const { entries } = await listAudit.execute(caller as NonNullable<typeof caller>, { action: ["user"] });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["user.second_factor_added", "user.recovery_codes_renewed", "user.second_factor_removed"]),
    );
    expect(JSON.stringify(entries)).not.toContain(fresh);
  });

  test("by the operator ends the sessions", async () => {
    const { me, email, userId } = await guarded();
    expect(await resetSecondFactor(email.toUpperCase(), "root")).toEqual({ email, removed: true });
    await expect(sessionOf(me.session.id, userId)).rejects.toThrow("ended");
    expect(await signInWithPassword({ email, password, ip: "192.0.2.1" })).toMatchObject({ factor: null });
    expect(await resetSecondFactor(email, "root")).toEqual({ email, removed: false });
  });
});

describe("what is far-reaching", () => {
  const recent = { code: "recent_sign_in_required", status: 403 };

  test("asks a person again after 15 minutes, and nothing is done before", async () => {
    const { me, workspaceId } = await somebody();
    const before = await later(me, 14);
    const old = await later(me);
    const callerOf = (who: SignedIn) =>
      callerFor(who.session, workspaceId, "r") as NonNullable<ReturnType<typeof callerFor>>;
    const key = { name: "k", scopes: ["read", "admin"] as ("read" | "admin")[] };
    await expect(mintApiKey.execute(callerOf(old), key)).rejects.toMatchObject(recent);
    await expect(deleteWorkspace.execute(callerOf(old), { confirm: "W" })).rejects.toMatchObject(recent);
    await expect(openWorkspaceExport(callerOf(old))).rejects.toMatchObject(recent);
    await expect(beginSecondFactor.execute(old, {})).rejects.toMatchObject(recent);
    await expect(confirmIdentity.execute(old, {})).rejects.toMatchObject(recent);
    await inspect("UPDATE users SET password_hash = NULL WHERE id = $1", [me.session.userId]);
    await expect(changePassword.execute(old, { password: "a first long password" })).rejects.toMatchObject(recent);
    expect((await mintApiKey.execute(callerOf(old), { ...key, scopes: ["read"] })).key.scopes).toEqual(["read"]);
    expect((await mintApiKey.execute(callerOf(before), key)).key.scopes).toContain("admin");
  });

  test("is asked of who has a second factor for a new password too, which the old password alone does not change", async () => {
    const { me, recovery } = await guarded();
    const change = { current_password: password, password: "a brand new password" };
    const old = await later(me);
    await expect(changePassword.execute(old, change)).rejects.toMatchObject(recent);
    await confirmIdentity.execute(old, { code: recovery[0] as string });
    expect(await changePassword.execute(await again(me), change)).toEqual({ ended_sessions: 0 });
    const other = await somebody();
    expect(await changePassword.execute(await later(other.me), change)).toEqual({ ended_sessions: 0 });
  });

  test("is confirmed for this session only, by the password of who has no second factor", async () => {
    const { me, userId } = await somebody();
    const other = await later(await signedIn(userId));
    const old = await later(me);
    await expect(confirmIdentity.execute(old, { password: "wrong" })).rejects.toMatchObject({ code: "wrong_password" });
    await expect(confirmIdentity.execute(await again(old), {})).rejects.toMatchObject(recent);
    await confirmIdentity.execute(old, { password });
    expect(await confirmIdentity.execute(await again(old), {})).toEqual({ ok: true });
    await expect(confirmIdentity.execute(await again(other), {})).rejects.toMatchObject(recent);
  });

  test("is confirmed by a code of who has a second factor, and not by the password alone", async () => {
    const { me, secret } = await guarded();
    const old = await later(me);
    for (const wrong of [{ password }, { code: "000000" }, { password, code: "000000" }])
      await expect(confirmIdentity.execute(old, wrong)).rejects.toMatchObject({ code: "wrong_code" });
    await expect(confirmIdentity.execute(await again(old), {})).rejects.toMatchObject(recent);
    await confirmIdentity.execute(old, { code: codeOf(secret, 1) });
    expect(await confirmIdentity.execute(await again(old), {})).toEqual({ ok: true });
  });

  test("guesses of the password are slowed down", async () => {
    const { me } = await somebody();
    const old = await later(me);
    const answers = [];
    for (let n = 0; n < 6; n++)
      answers.push(await confirmIdentity.execute(old, { password: "guess" }).catch((error) => error.code));
    expect(answers).toEqual([...Array(5).fill("wrong_password"), "rate_limited"]);
  });
});
