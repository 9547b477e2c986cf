import { beforeAll, describe, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { operatorOf } from "#lib/auth/operator.ts";
import { insertPasswordReset } from "#lib/auth/queries/password-resets.ts";
import { mintLinkToken } from "#lib/auth/secret-tokens.ts";
import { callerFor, liveSession, startSession } from "#lib/auth/sessions.ts";
import { signInWithPassword } from "#lib/auth/sign-in.ts";
import type { Caller } from "#lib/core/context.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { mintApiKey, revokeApiKey } from "#lib/domain/access/api-keys/service.ts";
import { listMembers } from "#lib/domain/access/members/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { createTask } from "#lib/domain/crm/tasks/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { sessionOf, signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import {
  changePassword,
  disableUser,
  doesResetWork,
  enableUser,
  getProfile,
  listSessions,
  ownedBy,
  resetPassword,
  resetUserPassword,
  revokeSession,
  signUp,
  updateProfile,
} from "./service.ts";

const password = "correct horse battery";
let count = 0;

async function somebody() {
  const email = `person${++count}@acme.example`;
  const ip = `203.0.113.${count}`;
  const { user_id: userId, workspace_id: workspaceId } = await signUp.execute(stranger(ip), {
    email,
    password,
    workspace_name: "W",
  });
  return { userId, workspaceId, email, ip };
}

async function linkFor(userId: string, expiresAt = new Date(Date.now() + 60_000)) {
  const { token, hash } = mintLinkToken();
  await withoutWorkspace((db) => insertPasswordReset(db, userId, hash, expiresAt));
  return token;
}

beforeAll(() => bootWith({ SIGNUPS: "open" }));

describe("changing the password", () => {
  test("ends every other session, keeps this one, and the old password is worth nothing", async () => {
    const { userId, email, ip } = await somebody();
    const [here, there] = [await signedIn(userId), await signedIn(userId)];
    const changed = await changePassword.execute(here, {
      current_password: password,
      password: "another long password",
    });
    expect(changed).toEqual({ ended_sessions: 1 });
    expect(await liveSession(here.session.id, userId)).not.toBeNull();
    expect(await liveSession(there.session.id, userId)).toBeNull();
    expect(await signInWithPassword({ email, password, ip })).toBeNull();
    expect(await signInWithPassword({ email, password: "another long password", ip })).toMatchObject({ id: userId });
  });

  test("needs the current one, and guessing it is slowed down", async () => {
    const here = await signedIn((await somebody()).userId);
    const codes: string[] = [];
    for (let n = 0; n < 6; n++) {
      await changePassword
        .execute(here, { current_password: `guess ${n}`, password: "another long password" })
        .catch((error) => codes.push(error.code));
    }
    expect(codes).toEqual([...Array(5).fill("wrong_password"), "rate_limited"]);
  });

  test("refuses a new one that is easy to guess, and keeps the sessions", async () => {
    const { userId, email } = await somebody();
    const [here, there] = [await signedIn(userId), await signedIn(userId)];
    for (const password of ["passwordpassword", `${email.split("@")[0]}-2026!`])
      await expect(
        changePassword.execute(here, { current_password: "correct horse battery", password }),
      ).rejects.toMatchObject({ code: "password_too_common", extras: { parameter: "password" } });
    expect(await liveSession(there.session.id, userId)).not.toBeNull();
  });

  test("sets a first password for someone who signs in with a provider", async () => {
    const { userId } = await somebody();
    await inspect("UPDATE users SET password_hash = NULL WHERE id = $1", [userId]);
    const here = await signedIn(userId);
    expect(await getProfile.execute(here, {})).toMatchObject({ has_password: false });
    await changePassword.execute(here, { password: "another long password" });
    expect(await getProfile.execute(here, {})).toMatchObject({ has_password: true });
  });
});

describe("a session that a provider began", () => {
  const longAgo = (userId: string) =>
    inspect("UPDATE sessions SET proven_at = now() - interval '16 minutes' WHERE user_id = $1", [userId]);

  test("sets no first password after 15 minutes, whatever is sent as the one now", async () => {
    const { userId } = await somebody();
    await inspect("UPDATE users SET password_hash = NULL WHERE id = $1", [userId]);
    const { session } = await signedIn(userId);
    await longAgo(userId);
    const here = { ...stranger(), session: await sessionOf(session.id, userId) };
    for (const current of [{}, { current_password: "x" }])
      await expect(
        changePassword.execute(here, { ...current, password: "another long password" }),
      ).rejects.toMatchObject({ code: "recent_sign_in_required" });
  });

  test("does not change the password of someone with a second factor that it did not give", async () => {
    const { userId } = await somebody();
    await inspect(
      "INSERT INTO second_factors (id, user_id, secret, confirmed_at) VALUES (gen_random_uuid(), $1, 'sealed', now())",
      [userId],
    );
    const here = await signedIn(userId);
    const change = { current_password: password, password: "another long password" };
    await expect(changePassword.execute(here, change)).rejects.toMatchObject({ code: "recent_sign_in_required" });
  });
});

describe("a reset link", () => {
  test("works once, ends every session, and withdraws the other links", async () => {
    const { userId, email } = await somebody();
    const there = await signedIn(userId);
    const [token, other] = [await linkFor(userId), await linkFor(userId)];
    expect(await doesResetWork(token)).toBe(true);
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => resetPassword.execute(stranger(), { token, password: "a brand new password" })),
    );
    expect(tries.filter((each) => each.status === "fulfilled").map((each) => each.value)).toEqual([{ email }]);
    expect(await liveSession(there.session.id, userId)).toBeNull();
    for (const used of [token, other]) {
      expect(await doesResetWork(used)).toBe(false);
      await expect(
        resetPassword.execute(stranger(), { token: used, password: "a brand new password" }),
      ).rejects.toMatchObject({
        code: "reset_link_invalid",
      });
    }
  });

  test("that proves an address for the first time removes the second factor of whoever used it before", async () => {
    const { userId } = await somebody();
    const factor = () => inspect("SELECT id FROM second_factors WHERE user_id = $1", [userId]);
    await inspect(
      "INSERT INTO second_factors (id, user_id, secret, confirmed_at) VALUES (gen_random_uuid(), $1, 'sealed', now())",
      [userId],
    );
    await resetPassword.execute(stranger(), { token: await linkFor(userId), password: "a brand new password" });
    expect(await factor()).toEqual([]);
    await inspect(
      "INSERT INTO second_factors (id, user_id, secret, confirmed_at) VALUES (gen_random_uuid(), $1, 'sealed', now())",
      [userId],
    );
    await resetPassword.execute(stranger(), { token: await linkFor(userId), password: "another new password" });
    expect(await factor(), "a proven address keeps it").toHaveLength(1);
  });

  test("stays usable after a password that is refused, such as the person's own address", async () => {
    const { userId, email } = await somebody();
    const token = await linkFor(userId);
    const easy = `${email.split("@")[0]}-2026`.padEnd(12, "!");
    await expect(resetPassword.execute(stranger(), { token, password: easy })).rejects.toMatchObject({
      code: "password_too_common",
    });
    expect(await resetPassword.execute(stranger(), { token, password: "a brand new password" })).toEqual({ email });
  });

  test("does nothing after its hour", async () => {
    const token = await linkFor((await somebody()).userId, new Date(Date.now() - 1_000));
    await expect(resetPassword.execute(stranger(), { token, password: "a brand new password" })).rejects.toMatchObject({
      code: "reset_link_invalid",
    });
  });

  test("keeps only the hash of its token", async () => {
    const token = await linkFor((await somebody()).userId);
    const rows = await inspect("SELECT row_to_json(r)::text AS text FROM password_resets r");
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("the operator's reset", () => {
  test("makes up a password, ends the sessions, and lets the person in although a stranger locked the account", async () => {
    const { userId, email } = await somebody();
    const there = await signedIn(userId);
    for (let n = 0; n < 25; n++) {
      await signInWithPassword({ email, password: "guess", ip: `198.51.100.${n}` }).catch(() => null);
    }
    const { password: made } = await resetUserPassword(email.toUpperCase(), "root");
    expect(made).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    expect(await liveSession(there.session.id, userId)).toBeNull();
    const enter = (newPassword?: string) =>
      signInWithPassword({ email, password: made, newPassword, ip: "198.51.100.200" });
    await expect(enter()).rejects.toMatchObject({ code: "new_password_required" });
    await expect(enter(made)).rejects.toMatchObject({ code: "new_password_required" });
    await expect(enter("rapport123456")).rejects.toMatchObject({ code: "password_too_common" });
    expect(await enter("a password of my own")).toMatchObject({ id: userId });
    expect(await enter("another one of my own"), "it was replaced").toBeNull();
    const mine = { email, password: "a password of my own", ip: "198.51.100.200" };
    expect(await signInWithPassword(mine)).toMatchObject({ id: userId, passwordTemporary: false });
  });

  test("asks for no other password when the operator chose one", async () => {
    const { userId, email } = await somebody();
    await resetUserPassword(email, "root", "chosen by the operator");
    const given = { email, password: "chosen by the operator", ip: "198.51.100.201" };
    expect(await signInWithPassword(given)).toMatchObject({ id: userId });
  });

  test("refuses a password that is easy to guess", async () => {
    const { userId, email } = await somebody();
    const there = await signedIn(userId);
    await expect(resetUserPassword(email, "root", "rapport123456")).rejects.toMatchObject({
      code: "password_too_common",
    });
    expect(await liveSession(there.session.id, userId)).not.toBeNull();
  });

  test("refuses an address that has no account", async () => {
    await expect(resetUserPassword("nobody@acme.example", "root")).rejects.toMatchObject({ code: "user_not_found" });
    await expect(resetUserPassword("no address", "root")).rejects.toMatchObject({ code: "user_not_found" });
  });
});

describe("a disabled account", () => {
  test("signs in no way, gets no link, and has lost what acts for it; enabled, it signs in again", async () => {
    const { userId, email, workspaceId } = await somebody();
    const there = await signedIn(userId);
    const token = await linkFor(userId);
    const [reader] = await inspect<{ role: string }>("SELECT role FROM members WHERE user_id = $1", [userId]);
    const enter = (tried = password) => signInWithPassword({ email, password: tried, ip: "198.51.100.202" });
    expect(await disableUser(email.toUpperCase(), "root")).toEqual({ userId, email, ended_sessions: 1 });
    expect(await liveSession(there.session.id, userId)).toBeNull();
    await expect(enter()).rejects.toMatchObject({ code: "account_disabled" });
    expect(await enter("a wrong password"), "who does not know the password learns nothing").toBeNull();
    await expect(resetPassword.execute(stranger(), { token, password: "a brand new password" })).rejects.toMatchObject({
      code: "reset_link_invalid",
    });
    // A sign-in that was under way when the account was disabled.
    const late = await startSession(userId, { ip: null, userAgent: null });
    expect(await liveSession(late, userId)).toBeNull();
    const owned = { workspace_id: workspaceId, role: reader?.role, only_owner: true, api_keys: [] };
    expect(await ownedBy({ userId, email }, "root")).toMatchObject([owned]);
    expect(await enableUser(email, "root")).toEqual({ email, enabled: true });
    expect(await enableUser(email, "root")).toEqual({ email, enabled: false });
    expect(await enter()).toMatchObject({ id: userId });
    for (const id of [there.session.id, late])
      expect(await liveSession(id, userId), "what ended stays ended").toBeNull();
    await backgroundDone();
    const entries = await inspect<{ action: string; actor: string }>(
      "SELECT action, actor FROM audit_log WHERE workspace_id = $1 AND action LIKE 'user.%abled' ORDER BY at",
      [workspaceId],
    );
    expect(entries).toEqual([
      { action: "user.disabled", actor: "cli:root" },
      { action: "user.enabled", actor: "cli:root" },
    ]);
  });

  test("leaves a list of what others have to take over: records, tasks, keys", async () => {
    const { userId, email, workspaceId } = await somebody();
    const operator = await operatorOf(workspaceId, "root");
    await upsertPerson.execute(operator, { email: "anna@acme.com", owner: email });
    await createTask.execute(operator, { title: "Call", assignee: email });
    const me = callerFor((await signedIn(userId)).session, workspaceId, "a-request");
    const mint = async (name: string) => (await mintApiKey.execute(me as Caller, { name, scopes: ["read"] })).key;
    const [kept, revoked] = [await mint("Kept"), await mint("Revoked")];
    await revokeApiKey.execute(operator, { id: revoked.id });
    expect(await ownedBy(await disableUser(email, "root"), "root")).toEqual([
      {
        ...{ workspace_id: workspaceId, name: "W", role: "owner", only_owner: true },
        ...{ owns: { people: 1, companies: 0, tasks: 1 }, api_keys: [{ name: "Kept", prefix: kept.prefix }] },
      },
    ]);
    expect((await listMembers.execute(operator, {})).members).toMatchObject([{ email, disabled: true }]);
  });
});

describe("sessions", () => {
  test("are listed newest first, and ended one by one or all but this", async () => {
    const { userId } = await somebody();
    const [first, second, here] = [await signedIn(userId), await signedIn(userId), await signedIn(userId)];
    const { sessions } = await listSessions.execute(here, {});
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [here.session.id, true],
      [second.session.id, false],
      [first.session.id, false],
    ]);
    await revokeSession.execute(here, { id: first.session.id });
    expect(await liveSession(first.session.id, userId)).toBeNull();
    expect(await revokeSession.execute(here, { id: "others" })).toEqual({ ended_sessions: 1 });
    expect((await listSessions.execute(here, {})).sessions).toHaveLength(1);
  });

  test("elsewhere are ended by who proved who they are lately", async () => {
    const { userId } = await somebody();
    const [there, here] = [await signedIn(userId), await signedIn(userId)];
    await inspect("UPDATE sessions SET proven_at = now() - interval '16 minutes' WHERE id = $1", [here.session.id]);
    const late = { ...here, session: await sessionOf(here.session.id, userId) };
    await expect(revokeSession.execute(late, { id: "others" })).rejects.toMatchObject({
      code: "recent_sign_in_required",
    });
    expect(await liveSession(there.session.id, userId)).not.toBeNull();
  });

  test("of someone else cannot be ended", async () => {
    const [one, two] = [await signedIn((await somebody()).userId), await signedIn((await somebody()).userId)];
    await expect(revokeSession.execute(one, { id: two.session.id })).rejects.toMatchObject({
      code: "session_not_found",
    });
    expect(await liveSession(two.session.id, two.session.userId)).not.toBeNull();
  });

  test("end 30 days after their last use, which moves the end at most once a day", async () => {
    const { session } = await signedIn((await somebody()).userId);
    const endsIn = async (change: string) => {
      await inspect(`UPDATE sessions SET expires_at = now() + interval '${change}' WHERE id = $1`, [session.id]);
      const live = await liveSession(session.id, session.userId);
      const [row] = await inspect<{ days: number }>(
        "SELECT round(extract(epoch FROM expires_at - now()) / 86400, 1)::float AS days FROM sessions WHERE id = $1",
        [session.id],
      );
      return [live !== null, row?.days];
    };
    expect(await endsIn("29.5 days")).toEqual([true, 29.5]);
    expect(await endsIn("28 days")).toEqual([true, 30]);
    expect(await endsIn("-1 second")).toEqual([false, 0]);
  });

  test("end after SESSION_IDLE without use, also those that began while it was longer", async () => {
    const { session } = await signedIn((await somebody()).userId);
    const minutesLeft = async () => {
      await liveSession(session.id, session.userId);
      const [row] = await inspect<{ minutes: number }>(
        "SELECT round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes FROM sessions WHERE id = $1",
        [session.id],
      );
      return row?.minutes;
    };
    const used = async (ago: string) =>
      inspect(`UPDATE sessions SET expires_at = expires_at - interval '${ago}' WHERE id = $1`, [session.id]);
    bootWith({ SIGNUPS: "open", SESSION_IDLE: "1h" });
    expect(await minutesLeft()).toBe(60);
    await used("3 minutes");
    expect(await minutesLeft(), "written every five minutes at most").toBe(57);
    await used("30 minutes");
    expect(await minutesLeft()).toBe(60);
    await used("60 minutes");
    expect(await liveSession(session.id, session.userId)).toBeNull();
    bootWith({ SIGNUPS: "open" });
  });

  test("end SESSION_MAX_DAYS after the sign-in, however much they are used, and are not listed then", async () => {
    const { userId } = await somebody();
    const [here, old] = [await signedIn(userId), await signedIn(userId)];
    const oldIsLive = async (age: string) => {
      await inspect(`UPDATE sessions SET created_at = now() - interval '${age}' WHERE id = $1`, [old.session.id]);
      const { sessions } = await listSessions.execute(here, {});
      const isListed = sessions.some(({ id }) => id === old.session.id);
      return [(await liveSession(old.session.id, userId)) !== null, isListed];
    };
    expect(await oldIsLive("89 days 23 hours")).toEqual([true, true]);
    expect(await oldIsLive("90 days 1 second")).toEqual([false, false]);
    bootWith({ SIGNUPS: "open", SESSION_MAX_DAYS: "7" });
    expect(await oldIsLive("6 days 23 hours")).toEqual([true, true]);
    expect(await oldIsLive("7 days 1 second")).toEqual([false, false]);
    bootWith({ SIGNUPS: "open" });
  });
});

describe("the profile", () => {
  test("takes a name, and takes it back", async () => {
    const here = await signedIn((await somebody()).userId);
    expect(await updateProfile.execute(here, { name: " Ada " })).toEqual({ name: "Ada" });
    expect(await liveSession(here.session.id, here.session.userId)).toMatchObject({ name: "Ada" });
    expect(await updateProfile.execute(here, { name: "" })).toEqual({ name: null });
  });

  test("is for people who are signed in", async () => {
    await expect(getProfile.execute(stranger(), {})).rejects.toMatchObject({ code: "session_required" });
  });
});
