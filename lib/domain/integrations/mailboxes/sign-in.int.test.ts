/** Mailboxes that are opened by a sign-in with Google or Microsoft: against stand-ins of both token endpoints and of the mail server. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { LOGIN, useImapServer, useLoopbackCertificate } from "#lib/testing/imap.fixture.ts";
import { signInSettings, useMailSignIn } from "#lib/testing/mail-sign-in.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import type { Mailbox } from "./contract.ts";
import { runSync } from "./service/sync.ts";

useLoopbackCertificate();
beforeAll(() =>
  bootWith({ SIGNUPS: "open", PRIVATE_MAIL_SERVERS: "127.0.0.1", WORKER: "separate", ...signInSettings }),
);
const imap = useImapServer({
  folders: [
    { path: "INBOX", mails: [] },
    { path: "Sent", flags: ["\\Sent"], mails: [] },
  ],
});
const provider = useMailSignIn(imap);
const server = useServer();
beforeEach(() => {
  imap.calm();
  provider.calm();
});

type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

async function begin(browser: Browser, more: Record<string, unknown> = {}): Promise<string> {
  const body = { workspace_id: browser.workspaceId, provider: "google", ...more };
  const answer = await server.call("/api/account/mail-sign-ins", { body, headers: browser.headers() });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.redirect_to as string;
}

/** Where the browser is sent on to. */
async function comeBack(browser: Browser, back: URL): Promise<string | null> {
  const { cookie } = browser.headers();
  const answer = await fetch(server.url() + back.pathname + back.search, { redirect: "manual", headers: { cookie } });
  expect(answer.status).toBe(303);
  return answer.headers.get("location");
}

const mailboxes = async (browser: Browser): Promise<Mailbox[]> =>
  (await server.call(`${browser.app}/v2/me/mailboxes`, { headers: browser.headers() })).body.mailboxes as Mailbox[];

async function read({ workspaceId }: Browser, id: string): Promise<void> {
  const caller = (await jobAuthority(workspaceId, newId())) as Caller;
  await runSync.run({ caller, attempt: 1, last: false, signal: new AbortController().signal }, { mailbox_id: id });
}

async function connected(more: Record<string, unknown> = {}) {
  const browser = await signedInBrowser(server.url());
  expect(await comeBack(browser, provider.approve(await begin(browser, more)))).toMatch(/mail=signed_in$/);
  const [mailbox] = await mailboxes(browser);
  if (!mailbox) throw new Error("no mailbox");
  return { browser, mailbox };
}

const refreshes = () => provider.asked.filter(({ grant_type }) => grant_type === "refresh_token").length;

describe("a sign-in", () => {
  test.each([
    ["google", "https://mail.google.com/ openid email", { access_type: "offline", prompt: "consent" }],
    ["microsoft", "https://outlook.office.com/IMAP.AccessAsUser.All offline_access openid email", {}],
  ])("with %s asks for the mailbox, and connects it with the terms that were chosen", async (name, scope, params) => {
    const browser = await signedInBrowser(server.url());
    const address = await begin(browser, { provider: name, address: LOGIN.user, share: "subject", blocked: ["x.io"] });
    const said = Object.fromEntries(new URL(address).searchParams);
    expect(said).toMatchObject({ scope, response_type: "code", login_hint: LOGIN.user, ...params });
    expect(said.redirect_uri).toBe(`${server.url()}/oauth/mail`);
    expect(await comeBack(browser, provider.approve(address))).toBe(
      `/${browser.workspaceId}/integrations?mail=signed_in`,
    );
    const [mailbox] = await mailboxes(browser);
    expect(mailbox).toMatchObject({
      ...{ address: LOGIN.user, sign_in: name, share: "subject", blocked: ["x.io"], state: "reading" },
    });
    await read(browser, String(mailbox?.id));
    expect((await mailboxes(browser))[0]?.state).toBe("current");
  });

  test("is over once it was used", async () => {
    const browser = await signedInBrowser(server.url());
    const back = provider.approve(await begin(browser));
    await comeBack(browser, back);
    expect(await comeBack(browser, back)).toMatch(/mail=over$/);
    expect((await mailboxes(browser)).length).toBe(1);
  });

  test("is of the session that began it: neither another of the same person nor anybody else can end it", async () => {
    const [browser, other] = [await signedInBrowser(server.url()), await signedInBrowser(server.url())];
    const back = provider.approve(await begin(browser));
    await inspect("UPDATE mail_sign_ins SET session_id = gen_random_uuid() WHERE workspace_id = $1", [
      browser.workspaceId,
    ]);
    expect(await comeBack(browser, back)).toMatch(/mail=over$/);
    expect(await comeBack(other, back)).toBe("/");
    const nobody = await fetch(server.url() + back.pathname + back.search, { redirect: "manual" });
    expect(nobody.headers.get("location")).toBe("/sign-in");
    expect([await mailboxes(browser), await mailboxes(other)]).toEqual([[], []]);
  });

  test("with another state, an old one, or one that the person refused connects nothing", async () => {
    const browser = await signedInBrowser(server.url());
    const forged = provider.approve(await begin(browser));
    forged.searchParams.set("state", `${forged.searchParams.get("state")?.slice(0, -3)}xyz`);
    expect(await comeBack(browser, forged)).toMatch(/mail=over$/);
    const late = provider.approve(await begin(browser));
    await inspect("UPDATE mail_sign_ins SET expires_at = now() - interval '1 second' WHERE workspace_id = $1", [
      browser.workspaceId,
    ]);
    expect(await comeBack(browser, late)).toMatch(/mail=over$/);
    const refused = provider.approve(await begin(browser));
    refused.searchParams.delete("code");
    refused.searchParams.set("error", "access_denied");
    expect(await comeBack(browser, refused)).toMatch(/mail=denied$/);
    const stolen = provider.approve(await begin(browser));
    stolen.searchParams.set("code", "another");
    expect(await comeBack(browser, stolen)).toMatch(/mail=over$/);
    for (const state of ["", "x.y.z", `${newId()}.${newId()}.x`])
      expect(await comeBack(browser, new URL(`${server.url()}/oauth/mail?state=${state}&code=c`))).toBe("/");
    expect(await mailboxes(browser)).toEqual([]);
  });

  test("that leads to no mailbox says why", async () => {
    const browser = await signedInBrowser(server.url());
    imap.instead(/^AUTHENTICATE/, ({ say, tag }) => say(`${tag} NO [AUTHENTICATIONFAILED] IMAP is off`), 2);
    expect(await comeBack(browser, provider.approve(await begin(browser)))).toMatch(/mail=refused$/);
    imap.calm();
    provider.trouble = { status: 401, body: { error: "invalid_client" } };
    expect(await comeBack(browser, provider.approve(await begin(browser)))).toMatch(/mail=unreachable$/);
    provider.calm();
    provider.account = null;
    expect(await comeBack(browser, provider.approve(await begin(browser)))).toMatch(/mail=no_permission$/);
    expect(await mailboxes(browser)).toEqual([]);
  });

  test("is not offered without a client, and not to who may only read", async () => {
    const browser = await signedInBrowser(server.url());
    const ask = (body: object) => server.call("/api/account/mail-sign-ins", { body, headers: browser.headers() });
    const input = { workspace_id: browser.workspaceId, provider: "google" };
    await inspect("UPDATE members SET role = 'viewer' WHERE workspace_id = $1", [browser.workspaceId]);
    expect(await ask(input)).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
    await inspect("UPDATE members SET role = 'owner' WHERE workspace_id = $1", [browser.workspaceId]);
    expect(await ask({ ...input, mailbox_id: newId() })).toMatchObject({
      status: 404,
      body: { error: "mailbox_not_found" },
    });
    expect(await ask({ ...input, workspace_id: newId() })).toMatchObject({ status: 404 });
    bootWith({ SIGNUPS: "open", PRIVATE_MAIL_SERVERS: "127.0.0.1", WORKER: "separate" });
    expect(await ask(input)).toMatchObject({ status: 400, body: { parameter: "provider" } });
    bootWith({ SIGNUPS: "open", PRIVATE_MAIL_SERVERS: "127.0.0.1", WORKER: "separate", ...signInSettings });
  });
});

describe("an access token", () => {
  test("is asked for once by all who need it, and used until shortly before its end", async () => {
    const { browser, mailbox } = await connected();
    provider.delay = 100;
    const folders = () =>
      server.call(`${browser.app}/v2/me/mailboxes/${mailbox.id}/folders`, { headers: browser.headers() });
    const answers = await Promise.all([folders(), folders(), folders(), read(browser, mailbox.id)]);
    expect(answers.slice(0, 3).map((answer) => answer?.status)).toEqual([200, 200, 200]);
    expect(refreshes()).toBe(1);
    await read(browser, mailbox.id);
    expect(refreshes()).toBe(1);
  });

  test("that ends soon is renewed, and Microsoft's next refresh token is kept", async () => {
    provider.lifetime = 60;
    const { browser, mailbox } = await connected({ provider: "microsoft" });
    const sealed = async () =>
      (await inspect<{ credentials: string }>("SELECT credentials FROM mailboxes WHERE id = $1", [mailbox.id]))[0]
        ?.credentials;
    const before = await sealed();
    await read(browser, mailbox.id);
    const after = await sealed();
    await read(browser, mailbox.id);
    expect(refreshes()).toBe(2);
    expect(after).not.toBe(before);
    expect((await mailboxes(browser))[0]).toMatchObject({ state: "current", message: null });
  });

  test("that the server refuses is renewed once before anybody is asked to sign in", async () => {
    const { browser, mailbox } = await connected();
    await read(browser, mailbox.id);
    imap.tokens.clear();
    await read(browser, mailbox.id);
    await read(browser, mailbox.id);
    expect((await mailboxes(browser))[0]).toMatchObject({ state: "current", message: null });
    expect(refreshes()).toBe(2);
  });

  test("that is given no longer means to sign in again, which goes on where it was", async () => {
    const { browser, mailbox } = await connected();
    provider.revoke();
    await read(browser, mailbox.id);
    expect((await mailboxes(browser))[0]).toMatchObject({
      state: "failing",
      message: "Your permission to read this mailbox has ended. Sign in again.",
    });
    provider.account = "somebody@else.example";
    const again = { mailbox_id: mailbox.id };
    expect(await comeBack(browser, provider.approve(await begin(browser, again)))).toMatch(/mail=other_account$/);
    provider.account = LOGIN.user;
    expect(await comeBack(browser, provider.approve(await begin(browser, again)))).toMatch(/mail=signed_in$/);
    await read(browser, mailbox.id);
    expect(await mailboxes(browser)).toMatchObject([{ id: mailbox.id, state: "current", message: null }]);
  });

  test("that cannot be asked for now is asked for later, and nobody has to sign in", async () => {
    const { browser, mailbox } = await connected();
    provider.trouble = { status: 503, body: {} };
    await read(browser, mailbox.id);
    const [failing] = await mailboxes(browser);
    expect(failing).toMatchObject({ state: "failing", message: expect.stringContaining("tried again") });
    provider.trouble = null;
    await read(browser, mailbox.id);
    expect((await mailboxes(browser))[0]?.state).toBe("current");
  });

  test("and what it was given for are nowhere but sealed", async () => {
    const { browser, mailbox } = await connected();
    await begin(browser);
    const rows = await inspect<{ all: string }>(
      `SELECT (SELECT string_agg(m::text, ' ') FROM mailboxes m WHERE id = $2) || ' ' ||
         (SELECT string_agg(s::text, ' ') FROM mail_sign_ins s WHERE workspace_id = $1) AS all`,
      [browser.workspaceId, mailbox.id],
    );
    for (const token of imap.tokens) expect(rows[0]?.all).not.toContain(token);
    expect(rows[0]?.all).not.toMatch(/refreshToken/);
  });
});
