import { beforeAll, describe, expect, test } from "vitest";
import { endAccessEverywhere, PROVEN } from "#lib/domain/access/members/service.ts";
import { signUp } from "#lib/domain/workspace/users/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import { signInWithProvider as signInAt } from "./provider-sign-in.ts";
import { liveSession } from "./sessions.ts";

const signInWithProvider = (who: Parameters<typeof signInAt>[0], invitation: string | null, isAwaited = false) =>
  signInAt(who, invitation, {
    isAwaited,
    endAccess: (userId) => endAccessEverywhere(userId, PROVEN, { requestId: "a-request", ip: "203.0.113.9" }),
  });
const vouched = (id: string, email: string | null, provider = "google") => ({ provider, id, name: "Ada", email });

beforeAll(async () => {
  bootWith({ SIGNUPS: "open" });
  await signUp.execute(stranger(), {
    email: "first@acme.example",
    password: "correct horse battery",
    workspace_name: "W",
  });
  bootWith();
});

describe("signing in with a provider", () => {
  test("links to the account with the verified address, and later finds it by the link alone", async () => {
    const user = await signInWithProvider(vouched("g1", " First@acme.example "), null);
    expect(user.email).toBe("first@acme.example");
    expect(await signInWithProvider(vouched("g1", null), null)).toMatchObject({ id: user.id });
    expect(await signInWithProvider(vouched("g1", "changed@acme.example"), null)).toMatchObject({ id: user.id });
    expect(await signInWithProvider(vouched("h1", "first@acme.example", "github"), null)).toMatchObject({
      id: user.id,
    });
    expect(await inspect("SELECT provider FROM accounts WHERE user_id = $1 ORDER BY provider", [user.id])).toEqual([
      { provider: "github" },
      { provider: "google" },
    ]);
  });

  test("needs a verified address the first time", async () => {
    await expect(signInWithProvider(vouched("g2", null), null)).rejects.toMatchObject({ code: "invalid_email" });
  });

  test("makes no account when sign-ups are closed", async () => {
    await expect(signInWithProvider(vouched("g3", "stranger@acme.example"), null)).rejects.toMatchObject({
      code: "signups_closed",
    });
    await expect(signInWithProvider(vouched("g3", "stranger@acme.example"), "wrong")).rejects.toMatchObject({
      code: "signups_closed",
    });
    expect(await inspect("SELECT 1 FROM users WHERE email = 'stranger@acme.example'")).toEqual([]);
  });

  // Also where sign-ups were closed since: with an invitation one signs up under any address.
  test.each(["open", "invite", undefined])(
    "ends the password, the passkeys and the sessions of an account a stranger may have made with the address (SIGNUPS=%s)",
    async (SIGNUPS) => {
      bootWith({ SIGNUPS: "open" });
      const email = `victim-${SIGNUPS}@acme.example`;
      const account = { email, password: "the stranger's password", workspace_name: "Trap" };
      const { user_id } = await signUp.execute(stranger(), account);
      const { session } = await signedIn(user_id);
      await inspect(
        `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter)
         VALUES (gen_random_uuid(), $1, 'the stranger''s', uuid_send($1), '', 0)`,
        [user_id],
      );
      bootWith(SIGNUPS ? { SIGNUPS } : {});
      expect(await signInWithProvider(vouched(`v-${SIGNUPS}`, email), null)).toMatchObject({ id: user_id });
      expect(await liveSession(session.id, user_id)).toBeNull();
      expect(await inspect("SELECT password_hash FROM users WHERE id = $1", [user_id])).toEqual([
        { password_hash: null },
      ]);
      expect(await inspect("SELECT 1 FROM passkeys WHERE user_id = $1", [user_id])).toEqual([]);
      bootWith();
    },
  );

  test("keeps a password that was chosen through the mailbox", async () => {
    bootWith({ SIGNUPS: "open" });
    const account = { email: "proven@acme.example", password: "correct horse battery", workspace_name: "Own" };
    const { user_id } = await signUp.execute(stranger(), account);
    await inspect("UPDATE users SET email_verified_at = now() WHERE id = $1", [user_id]);
    await signInWithProvider(vouched("g5", account.email), null);
    const [row] = await inspect<{ password_hash: string | null }>("SELECT password_hash FROM users WHERE id = $1", [
      user_id,
    ]);
    expect(row?.password_hash).not.toBeNull();
    bootWith();
  });

  test("at once from two windows makes one account and one link", async () => {
    bootWith({ SIGNUPS: "open" });
    const both = await Promise.all([1, 2].map(() => signInWithProvider(vouched("g6", "twice@acme.example"), null)));
    expect(both[0]?.id).toBe(both[1]?.id);
    expect(await inspect("SELECT 1 FROM accounts WHERE provider_account_id = 'g6'")).toHaveLength(1);
    bootWith();
  });
});
