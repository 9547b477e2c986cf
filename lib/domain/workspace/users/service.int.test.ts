import { beforeAll, describe, expect, test } from "vitest";
import { insertPasswordReset } from "#lib/auth/queries/password-resets.ts";
import { mintLinkToken } from "#lib/auth/secret-tokens.ts";
import { liveSession } from "#lib/auth/sessions.ts";
import { signInWithPassword } from "#lib/auth/sign-in.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { sessionOf, signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import {
  changePassword,
  doesResetWork,
  getProfile,
  listSessions,
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
  async function linkFor(userId: string, expiresAt = new Date(Date.now() + 60_000)) {
    const { token, hash } = mintLinkToken();
    await withoutWorkspace((db) => insertPasswordReset(db, userId, hash, expiresAt));
    return token;
  }

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
    expect(await signInWithPassword({ email, password: made, ip: "198.51.100.200" })).toMatchObject({ id: userId });
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
