/** As `secrets.int.test.ts`, for what opens mailboxes, calendars, directories and the operator's systems, and for passkeys. */
import { afterAll, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { runSync as readCalendar } from "#lib/domain/integrations/calendars/service/sync.ts";
import { schedules as readingCopies } from "#lib/domain/integrations/log-addresses/jobs.ts";
import { loginOf } from "#lib/domain/integrations/mailboxes/service/login.ts";
import { runSync as readMailbox } from "#lib/domain/integrations/mailboxes/service/sync.ts";
import { pushNext } from "#lib/domain/records/audit/service/push.ts";
import { sealNext } from "#lib/domain/records/audit/service/seal.ts";
import { signedInBrowser } from "./browser.fixture.ts";
import { CALENDAR_LOGIN, useCalDavServer } from "./caldav.fixture.ts";
import { bootWith, inspect } from "./database.ts";
import { LOGIN, TOKEN, useImapServer, useLoopbackCertificate } from "./imap.fixture.ts";
import { useLog } from "./log.fixture.ts";
import { signInSettings, useMailSignIn } from "./mail-sign-in.fixture.ts";
import { softwarePasskey } from "./passkey.fixture.ts";
import { collectTraces, leaksOf, processes, stored } from "./secret-places.fixture.ts";
import { useServer } from "./server.fixture.ts";

/** In the operator's settings: all of these systems are away, so that each failure is told somewhere. */
const ofOperator = {
  "the password of the mail server": "smtp-password-of-theirs",
  "the password of the mailbox for copies": "imap-password-of-theirs",
  "the token of the log system": "a-token-in-the-address-of-logs",
  "the secret of the log system": Buffer.alloc(24, 7).toString("base64"),
  "the secret of a sign-in": signInSettings.GOOGLE_CLIENT_SECRET,
};

const traces = await collectTraces();
bootWith({
  ...signInSettings,
  SIGNUPS: "open",
  WORKER: "separate",
  PRIVATE_MAIL_SERVERS: "127.0.0.1",
  OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  SMTP_URL: `smtp://robot:${ofOperator["the password of the mail server"]}@127.0.0.1:9`,
  LOG_MAILBOX_URL: `imaps://log%40acme.example:${ofOperator["the password of the mailbox for copies"]}@127.0.0.1:9`,
  AUDIT_PUSH_URL: `https://127.0.0.1:9/${ofOperator["the token of the log system"]}`,
  AUDIT_PUSH_SECRET: `whsec_${ofOperator["the secret of the log system"]}`,
});

useLoopbackCertificate();
const imap = useImapServer({ folders: [{ path: "INBOX", mails: [] }] });
const provider = useMailSignIn(imap);
const calendars = useCalDavServer();
const server = useServer();
const logged = useLog();
afterAll(traces.stop);

type Body = Record<string, unknown>;
type RequestParts = { method?: string; headers?: Record<string, string>; body?: object };

/** A person whose browser takes passkeys, which it does at a name alone. */
async function person() {
  const here = server.url().replace("127.0.0.1", "localhost");
  const browser = await signedInBrowser(here);
  const refusals: string[] = [];
  async function send(
    path: string,
    { body, method = body ? "POST" : "GET", headers = browser.headers() }: RequestParts = {},
  ) {
    const answer = await fetch(here + path, {
      method,
      headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: "manual",
    });
    const text = await answer.text();
    if (answer.status >= 400) refusals.push(JSON.stringify([[...answer.headers], text]));
    browser.keep(answer.headers);
    const to = answer.headers.get("location");
    return { status: answer.status, to, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Body, text };
  }
  return { ...browser, here, refusals, send };
}

type Person = Awaited<ReturnType<typeof person>>;

async function useMailboxes({ send, app, workspaceId, headers }: Person): Promise<Record<string, string>> {
  const wrong = "not-their-mail-password";
  const login = { address: "ada@acme.example", ...LOGIN, server: imap.address };
  for (const password of [wrong, LOGIN.password])
    await send(`${app}/v2/me/mailboxes/test`, { body: { ...login, password } });
  const connected = await send(`${app}/v2/me/mailboxes`, { body: login });
  expect(connected.status, connected.text).toBe(201);

  const approved = async () => {
    const begun = await send("/api/account/mail-sign-ins", { body: { workspace_id: workspaceId, provider: "google" } });
    return provider.approve(String(begun.body.redirect_to)).searchParams;
  };
  const comeBack = (code: string, state: string) =>
    send(`/oauth/mail?${new URLSearchParams({ code, state })}`, { headers: { cookie: headers().cookie } });
  const [first, second] = [await approved(), await approved()];
  const [code = "", state = ""] = [second.get("code"), second.get("state")] as string[];
  await comeBack(String(first.get("code")), `${first.get("state")}x`);
  const ended = await comeBack(code, state);
  expect([ended.status, ended.to]).toEqual([303, `/${workspaceId}/integrations?mail=signed_in`]);

  const rows = await inspect<{ id: string; credentials: string }>("SELECT id, credentials FROM mailboxes");
  const logins = rows.map((row) => loginOf(row));
  const grant = logins.find((each) => each && "refreshToken" in each) as { refreshToken: string } | undefined;
  expect(grant).toBeDefined();
  await runEach(workspaceId, rows, (caller, mailbox_id) => readMailbox.run(caller, { mailbox_id }));
  imap.insteads.push({ pattern: /LOGIN|AUTHENTICATE/, how: ({ say, tag }) => say(`${tag} NO no`), times: 4 });
  await runEach(workspaceId, rows, (caller, mailbox_id) => readMailbox.run(caller, { mailbox_id }));
  return {
    "the password of a mailbox": LOGIN.password,
    "a wrong password of a mailbox": wrong,
    "the code of a mail sign-in": code,
    "the state of a mail sign-in": state,
    "the refresh token of a mailbox": grant?.refreshToken as string,
    "an access token of a mailbox": TOKEN,
    ...Object.fromEntries([...imap.tokens].map((token, n) => [`access token ${n} of a mailbox`, token])),
  };
}

type Running = { caller: Caller; attempt: number; last: boolean; signal: AbortSignal };

async function runEach(
  workspaceId: string,
  rows: readonly { id: string }[],
  run: (job: Running, id: string) => Promise<unknown>,
): Promise<void> {
  const caller = (await jobAuthority(workspaceId as Caller["workspaceId"], newId())) as Caller;
  for (const { id } of rows)
    await run({ caller, attempt: 1, last: false, signal: new AbortController().signal }, id).catch(() => undefined);
}

async function useCalendars({ send, app, workspaceId }: Person): Promise<Record<string, string>> {
  const feed = "a-private-address-of-a-calendar";
  calendars.add("work", "Work");
  const wrong = "not-their-calendar-password";
  const login = { server: calendars.url, ...CALENDAR_LOGIN };
  await send(`${app}/v2/me/calendars/test`, { body: { ...login, password: wrong } });
  await send(`${app}/v2/me/calendars/test`, { body: { address: `${calendars.url}/none-${feed}.ics` } });
  for (const body of [login, { address: `${calendars.url}/${feed}.ics` }]) {
    const connected = await send(`${app}/v2/me/calendars`, { body });
    expect(connected.status, connected.text).toBe(201);
    // Only now, because the server would list it among those of the login.
    calendars.add(feed, "Feed");
  }
  const rows = await inspect<{ id: string }>("SELECT id FROM calendars WHERE kind = 'ics'");
  await runEach(workspaceId, rows, (caller, calendar_id) => readCalendar.run(caller, { calendar_id }));
  calendars.instead = (_request, response) => void response.writeHead(500).end("no");
  await runEach(workspaceId, rows, (caller, calendar_id) => readCalendar.run(caller, { calendar_id }));
  calendars.calm();
  return {
    "the password of a calendar": CALENDAR_LOGIN.password,
    "a wrong password of a calendar": wrong,
    "the private address of a calendar": feed,
  };
}

async function usePasskeys({ send, here, headers, sessionId }: Person): Promise<Record<string, string>> {
  const device = softwarePasskey(here);
  const post = async (path: string, body: object = {}) => (await send(`/api/account/${path}`, { body })).body;
  const asked = async (path: string) =>
    (await post(path)).options as { challenge: string; rp: { id: string }; rpId: string; user: { id: string } };
  const creating = await asked("passkeys/new");
  const added = await post("passkeys", { name: "Laptop", passkey: device.create(creating) });
  const codes = added.recovery_codes as string[];
  await inspect("UPDATE sessions SET proven_at = now() - interval '16 minutes' WHERE id = $1", [sessionId]);
  const before = headers().cookie;
  const using = await asked("passkeys/challenge");
  const answer = device.answer(using) as PasskeyAnswer;
  expect(await post("confirm", { passkey: answer })).toEqual({ ok: true });
  await post("confirm", { passkey: answer });
  expect(headers().cookie).not.toBe(before);
  return {
    "the challenge of a new passkey": creating.challenge,
    "the challenge of a passkey": using.challenge,
    "a recovery code": codes[0] as string,
    "the session's token before": before.split("=")[1] as string,
    "the session's token": headers().cookie.split("=")[1] as string,
  };
}

async function useDirectory({ send, app }: Person): Promise<Record<string, string>> {
  const key = String((await send(`${app}/api-keys`, { body: { name: "Okta", scopes: ["directory"] } })).body.api_key);
  const scim = (path: string, bearer: string, body?: object) =>
    send(`/scim/v2${path}`, { headers: { authorization: `Bearer ${bearer}` }, ...(body ? { body } : {}) });
  expect((await scim("/Users", key)).status).toBe(200);
  await scim("/Users", key.slice(0, -1));
  await scim("/Users", key, { schemas: [], userName: 7 });
  return { "the key of a directory": key.slice(11) };
}

test("a secret of an outside system is nowhere but with who holds it", async () => {
  const ada = await person();
  const { send, app, here } = ada;
  const secrets: Record<string, string> = { ...ofOperator };
  // The passkey comes last: with it the session gets another token.
  for (const use of [useMailboxes, useCalendars, useDirectory, usePasskeys]) Object.assign(secrets, await use(ada));
  const made = (await send(`${app}/log-address`, { body: {} })).body.log_address as { address: string };
  secrets["the address for copies"] = /\+([^@]+)@/.exec(made.address)?.[1] as string;
  for (const schedule of readingCopies) await schedule.run(new AbortController().signal);
  await send("/api/account/password/forgot", { body: { email: ada.email } });
  await backgroundDone();
  await sealNext(ada.workspaceId as Caller["workspaceId"]);
  const signal = new AbortController().signal;
  expect(await pushNext(ada.workspaceId as Caller["workspaceId"], signal), "the log system is away").toHaveProperty(
    "waitMs",
  );

  const shown = ["/v2/me/mailboxes", "/v2/me/calendars", "/api-keys", "/members", "/v2/audit-log"].map(
    async (path) => (await send(`${app}${path}`)).text,
  );
  const exported = await fetch(`${here}${app}/export`, { headers: ada.headers() }).then((answer) => answer.text());
  const places = {
    "what is shown later": (await Promise.all(shown)).join("\n"),
    "the export": exported,
    errors: ada.refusals.join("\n"),
    "the database": await stored(),
    "the process list": processes(),
    "the log": "",
    traces: "",
  };
  await server.stop();
  Object.assign(places, { "the log": logged.text(), traces: traces.text() });
  for (const [name, secret] of Object.entries(secrets)) expect(secret?.length, name).toBeGreaterThan(8);
  expect(places["what is shown later"]).toContain(LOGIN.user);
  expect(places["what is shown later"]).toContain("passkey_added");
  for (const failure of ["LOG_MAILBOX_URL cannot be read", "the audit log was not sent", "mail"])
    expect(places["the log"]).toContain(failure);
  expect(places.traces).toContain("/v2/me/calendars");
  expect(ada.refusals.length).toBeGreaterThan(5);
  expect(leaksOf(secrets, places)).toEqual([]);
});
