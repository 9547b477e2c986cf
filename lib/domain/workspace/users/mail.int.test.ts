import { Secret, TOTP } from "otpauth";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { callerFor } from "#lib/auth/sessions.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { invite, readInvitation } from "#lib/domain/access/members/service.ts";
import { beginSecondFactor, confirmSecondFactor, resetSecondFactor } from "#lib/domain/access/second-factor/service.ts";
import { notingSignIns } from "#lib/domain/records/audit/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useMailServer } from "#lib/testing/smtp.fixture.ts";
import { signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import { requestPasswordReset, resetPassword, resetUserPassword, signUp, updateProfile } from "./service.ts";

const mail = useMailServer();
const email = "ada@acme.example";
let userId = "";
let workspaceId = "";

beforeAll(async () => {
  bootWith({ APP_URL: "https://rapport.example", SMTP_URL: mail.url() });
  const made = await signUp.execute(stranger(), { email, password: "correct horse battery", workspace_name: "Acme" });
  userId = made.user_id;
  workspaceId = made.workspace_id;
});
beforeEach(() => mail.received.splice(0));

const ask = async (address: string, ip?: string) => {
  const answer = await requestPasswordReset.execute(stranger(ip), { email: address });
  await backgroundDone();
  return answer;
};

describe("a password reset by mail", () => {
  test("brings a link to the public address that sets a new password", async () => {
    expect(await ask(` ${email.toUpperCase()}`)).toEqual({ mailed: true });
    expect(mail.received.map(({ to }) => to)).toEqual([[email]]);
    const token =
      /https:\/\/rapport\.example\/reset-password\?token=(\w+)/.exec(mail.received[0]?.text ?? "")?.[1] ?? "";
    expect(await resetPassword.execute(stranger(), { token, password: "a brand new password" })).toEqual({ email });
    expect(await inspect("SELECT email_verified_at IS NOT NULL AS verified FROM users")).toEqual([{ verified: true }]);
    await backgroundDone();
    expect(mail.received.slice(1)).toMatchObject([
      { to: [email], text: expect.stringMatching(/Your password was changed on .* UTC, from 192\.0\.2\.1\./) },
    ]);
  });

  test("answers the same for an address without account, and mails nothing", async () => {
    expect(await ask("nobody@acme.example")).toEqual({ mailed: true });
    expect(mail.received).toEqual([]);
  });

  test("does not flood a mailbox, and does not say so", async () => {
    await inspect("DELETE FROM throttles");
    for (let n = 0; n < 5; n++) expect(await ask(email, `198.51.100.${n}`)).toEqual({ mailed: true });
    expect(mail.received).toHaveLength(3);
  });

  test("slows down a machine that asks for many", async () => {
    await inspect("DELETE FROM throttles");
    for (let n = 0; n < 20; n++) await ask(`person${n}@acme.example`, "198.51.100.9");
    await expect(ask("one.more@acme.example", "198.51.100.9")).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("a change of how a person signs in", () => {
  test("is told to them by mail, also when an operator makes it; a sign-in and a new name are not", async () => {
    await resetSecondFactor(email, "root"); // there is none
    await resetUserPassword(email, "root", "chosen by the operator");
    const me = await signedIn(userId);
    notingSignIns({ ip: "192.0.2.1", requestId: "a-request" }).signedIn(userId, "password");
    await updateProfile.execute(me, { name: "" });
    const { secret } = await beginSecondFactor.execute(me, {});
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await confirmSecondFactor.execute(me, { code });
    await backgroundDone();
    const told = mail.received.map(({ to, text }) => [to[0], text.split(" on ")[0], /UTC, (.*)\./.exec(text)?.[1]]);
    expect(told.sort()).toEqual([
      [email, expect.stringContaining("An app that makes codes was added to your account"), "from 192.0.2.1"],
      [email, expect.stringContaining("Your password was changed"), "by the person who runs the server"],
    ]);
  });

  test("is told by no mail where the server sends none, and is noted all the same", async () => {
    bootWith({ APP_URL: "https://rapport.example" });
    await resetUserPassword(email, "root", "chosen by the operator");
    await backgroundDone();
    expect(mail.received).toEqual([]);
    bootWith({ APP_URL: "https://rapport.example", SMTP_URL: mail.url() });
  });
});

describe("an invitation by mail", () => {
  const owner = async () => callerFor((await signedIn(userId)).session, workspaceId, newId()) as Caller;

  test("brings a link that works", async () => {
    const { mailed, link } = await invite.execute(await owner(), { role: "member", email: "grace@acme.example" });
    await backgroundDone();
    expect([mailed, mail.received[0]?.to]).toEqual([true, ["grace@acme.example"]]);
    expect(mail.received[0]?.text).toContain(link);
    const token = /https:\/\/rapport\.example\/invite\/(\w+)/.exec(link)?.[1] ?? "";
    expect(await readInvitation.execute(stranger(), { token })).toMatchObject({
      workspace_name: "Acme",
      invited_by: email,
    });
  });

  test("says that no mail goes out where the server can send none", async () => {
    bootWith();
    expect(await invite.execute(await owner(), { role: "member", email: "linus@acme.example" })).toMatchObject({
      mailed: false,
    });
    await backgroundDone();
    expect(mail.received).toEqual([]);
  });
});
