/** What is one person's own, against every operation of a colleague, of an administrator, of the owner and of a key. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { settleMeetingsNow } from "#lib/domain/knowledge/meetings/service.ts";
import { settleNow } from "#lib/domain/knowledge/messages/service.ts";
import { userOperations } from "#lib/registry.ts";
import { addCalendar, calendarOf, eventOf, guestOf, inDays } from "../calendar.fixture.ts";
import { inspect } from "../database.ts";
import { addMailbox, mailOf } from "../mail.fixture.ts";
import { useServer } from "../server.fixture.ts";
import { chanceOf } from "../torture/chance.ts";
import { options } from "../torture/options.ts";
import { everyOperation, inputNaming, isList, namingFields } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { type As, requestOf, sender } from "./surface.ts";

const server = useServer();
const { raw } = sender(server.url);

/** In the names of what is Ada's own, and in nothing else. */
const MARK = "adas-own-thing";

/**
 * Every column that names a user. `own`: its rows are that person's alone, and are proven below. `workspace`: all
 * members may see them.
 */
const columns: Readonly<Record<string, "own" | "workspace">> = {
  "accounts.user_id": "own",
  "sessions.user_id": "own",
  "password_resets.user_id": "own",
  "second_factors.user_id": "own",
  "recovery_codes.user_id": "own",
  "passkeys.user_id": "own",
  "oauth_codes.user_id": "own",
  "oauth_grants.user_id": "own",
  "saved_views.owner_id": "own",
  "hidden_items.user_id": "own",
  "mailboxes.user_id": "own",
  "message_holders.user_id": "own",
  "relationships.user_id": "own",
  "mail_shares.user_id": "own",
  "log_addresses.user_id": "own",
  "log_refusals.user_id": "own",
  "mail_sign_ins.user_id": "own",
  "calendars.user_id": "own",
  "meeting_copies.user_id": "own",
  "members.user_id": "workspace",
  "invitations.invited_by": "workspace",
  "directory_users.user_id": "workspace",
  "directory_group_members.directory_user_id": "workspace",
  "tasks.assignee_id": "workspace",
  "approvals.decided_by": "workspace",
  "api_keys.login_user_id": "workspace",
};
const own = Object.keys(columns)
  .filter((name) => columns[name] === "own")
  .map((name) => name.split(".") as [table: string, column: string]);

let stage: Stage;
let ada: Awaited<ReturnType<Stage["person"]>>;
/** Ids of what is Ada's own, by its table. */
const ids: Record<string, string> = {};

async function keep(table: string, values: Record<string, unknown>): Promise<void> {
  const names = Object.keys(values);
  const places = names.map((_, index) => `$${index + 1}`);
  await inspect(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places.join(", ")})`, Object.values(values));
  if (typeof values.id === "string") ids[table] = values.id;
}

beforeAll(async () => {
  stage = await createStage();
  await stage.me(); // whose mail the inputs below are made of
  ada = await stage.person("member");
  const [workspace_id, user_id] = [stage.id, ada.userId];
  const later = new Date(Date.now() + 3_600_000);
  const client = { client_id: MARK, client_name: MARK, client_host: MARK, resource: MARK };
  await inspect("UPDATE sessions SET user_agent = $2 WHERE user_id = $1", [user_id, MARK]);
  const [session] = await inspect<{ id: string }>("SELECT id FROM sessions WHERE user_id = $1", [user_id]);
  ids.sessions = String(session?.id);
  await keep("saved_views", {
    ...{ workspace_id, id: newId(), owner_id: user_id, list: "people", name: MARK, place: "pipeline_stage=client" },
  });
  await keep("oauth_grants", { workspace_id, id: newId(), user_id, ...client, scopes: ["read"], expires_at: later });
  await keep("oauth_codes", {
    ...{ workspace_id, id: newId(), user_id, ...client, scopes: ["read"], expires_at: later },
    ...{ code_hash: Buffer.alloc(32, "c"), code_challenge: MARK, redirect_uri: MARK },
  });
  await keep("hidden_items", { workspace_id, user_id, item_id: MARK, entity_id: await stage.entity("person") });
  await keepMail();
  await keepMeeting();
  await keep("accounts", { id: newId(), user_id, provider: MARK, provider_account_id: MARK });
  await keep("second_factors", { id: newId(), user_id, secret: MARK });
  await keep("recovery_codes", { id: newId(), user_id, code_hash: Buffer.from(MARK) });
  await keep("passkeys", {
    ...{
      id: newId(),
      user_id,
      name: MARK,
      credential_id: Buffer.from(MARK),
      public_key: Buffer.from(MARK),
      counter: 0,
    },
  });
  await keep("password_resets", {
    ...{ id: newId(), user_id, token_hash: Buffer.alloc(32, "r"), expires_at: later },
  });
});

/** Mail with the Anna of the examples, which Ada shares with nobody, and which says the mark wherever a message can. */
async function keepMail(): Promise<void> {
  const anna = await stage.anna();
  const { id, receive } = await addMailbox({ workspaceId: stage.id, ...ada }, { share: "nothing" });
  const headers = { From: "anna@acme.com", To: ada.email, "Message-ID": `<${MARK}@acme.com>`, Subject: MARK };
  await receive([mailOf(headers, MARK)]);
  const [message] = await inspect<{ id: string; thread: string }>(
    "SELECT id, thread FROM messages WHERE workspace_id = $1 AND key = $2",
    [stage.id, `${MARK}@acme.com`],
  );
  if (!message) throw new Error("the message was not kept");
  Object.assign(ids, { mailboxes: id, messages: message.id, threads: message.thread });
  const mailbox = { workspace_id: stage.id, user_id: ada.userId, mailbox_id: id };
  await keep("log_addresses", { ...mailbox, token_hash: Buffer.from(MARK), token: MARK });
  await keep("log_refusals", {
    ...{ workspace_id: stage.id, id: newId(), user_id: ada.userId, sender: MARK, reason: "no_contact" },
  });
  await keep("mail_sign_ins", {
    ...{ workspace_id: stage.id, id: newId(), user_id: ada.userId, session_id: newId(), provider: "google" },
    ...{ state_hash: Buffer.from(MARK), verifier: MARK, address: MARK, terms: {}, expires_at: new Date() },
  });
  await keep("mail_shares", { workspace_id: stage.id, user_id: ada.userId, subject: anna, share: "nothing" });
}

/** A meeting with her that Ada shares with nobody, and which says the mark wherever a meeting can. */
async function keepMeeting(): Promise<void> {
  await stage.anna();
  const { id, put } = await addCalendar({ workspaceId: stage.id, ...ada }, { share: "nothing", login: MARK });
  const words = [`SUMMARY:${MARK}`, `DESCRIPTION:${MARK}`, `LOCATION:${MARK}`];
  const people = [`ORGANIZER:mailto:${ada.email}`, guestOf("anna@acme.com", "ACCEPTED", MARK)];
  await put(MARK, calendarOf(eventOf(MARK, inDays(3), ...people, ...words)));
  const [meeting] = await inspect<{ id: string }>("SELECT id FROM meetings WHERE workspace_id = $1 AND uid = $2", [
    stage.id,
    MARK,
  ]);
  if (!meeting) throw new Error("the meeting was not kept");
  Object.assign(ids, { calendars: id, meetings: meeting.id });
}

/** All rows that are Ada's own. */
async function rowsOfAda(): Promise<string> {
  const rows = own.map(([table, column]) =>
    inspect(`SELECT t::text FROM ${table} t WHERE ${column} = $1`, [ada.userId]),
  );
  return JSON.stringify(await Promise.all(rows));
}

test("every column that names a user is said to be a person's own or the workspace's, and what is own is there", async () => {
  const found = await inspect<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'uuid' AND column_name ~ '(^|_)(user|owner|assignee|member)_id$|^(invited|decided)_by$'`,
  );
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(columns).toSorted());
  for (const [table, column] of own)
    expect(await inspect(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [ada.userId]), table).not.toEqual([]);
});

/** Right input of reads, which leave it right. */
const inputs = new Map<string, Promise<Record<string, unknown>>>();

function inputFor(name: string): Promise<Record<string, unknown>> {
  const made = inputs.get(name) ?? inputOf(name, stage);
  inputs.set(name, made);
  return made;
}

/** Asks every operation that `which` lets through, with right input; the answers. */
async function askAll(as: As, which: (operation: Operation) => boolean) {
  const answers: { name: string; text: string }[] = [];
  for (const [name, operation] of everyOperation.filter(([, each]) => which(each))) {
    if ("key" in as && operation.contract.surface !== "public") continue;
    const { status, text } = await raw(requestOf(operation, await inputFor(name), as, server.url()));
    answers.push({ name, text });
    expect([200, 201, 202, 403, 404], `${name}: ${text}`).toContain(status);
  }
  return answers;
}

const isRead = ({ contract }: Operation): boolean => contract.scope === "read" && contract.http.method === "GET";

describe("what is a person's own", () => {
  test("is theirs to see", async () => {
    const mine = { cookie: ada.cookie, workspace: stage.id };
    const answers = await askAll(mine, ({ contract }) =>
      ["listViews", "listConnectedClients", "listThreads", "listMeetings", "listCalendars"].includes(contract.name),
    );
    for (const { name, text } of answers) expect(text, name).toContain(MARK);
  });

  test("is in no answer to a colleague or a key", async () => {
    const bo = await stage.person("member");
    const askers: As[] = [{ cookie: bo.cookie, workspace: stage.id }, { key: await stage.key(["admin"]) }];
    for (const as of askers) {
      const answers = await askAll(as, isRead);
      expect(answers.length).toBeGreaterThan(40);
      expect(answers.filter(({ text }) => text.includes(MARK)).map(({ name }) => name)).toEqual([]);
    }
  });

  test.each(["admin", "owner"] as const)("is in no answer to the %s, but that clients are connected", async (role) => {
    const { cookie } = await stage.person(role);
    const answers = await askAll({ cookie, workspace: stage.id }, isRead);
    const telling = answers.filter(({ text }) => text.includes(MARK)).map(({ name }) => name);
    expect(telling).toEqual(["listConnectedClients"]);
  });

  test("whom she knows by private mail is in no answer to anyone else", async () => {
    const [bo, owner] = [await stage.person("member"), await stage.person("owner")];
    const anna = await stage.anna();
    const asked = [
      { name: "getRelationships", input: { focus: anna }, tells: ada.email },
      { name: "getContext", input: { focus: anna, intent: "account_review" }, tells: "known_by" },
      { name: "listPeople", input: { known_by: ada.email }, tells: anna },
    ];
    const ask = async (as: As) => {
      const telling: string[] = [];
      for (const { name, input, tells } of asked) {
        const operation = everyOperation.find(([each]) => each === name)?.[1] as Operation;
        const { status, text } = await raw(requestOf(operation, input, as, server.url()));
        expect(status, `${name}: ${text}`).toBe(200);
        if (text.includes(tells)) telling.push(name);
      }
      return telling;
    };
    expect(await ask({ cookie: ada.cookie, workspace: stage.id })).toEqual(asked.map(({ name }) => name));
    for (const { cookie } of [bo, owner]) expect(await ask({ cookie, workspace: stage.id })).toEqual([]);
    expect(await ask({ key: await stage.key(["admin"]) })).toEqual([]);
  });

  // Thousands of requests, one after the other.
  const patience = { timeout: 300_000 };
  test("cannot be changed or ended by naming its id, in any field of any operation", patience, async () => {
    const bo = await stage.person("member");
    // Who administers may as much as the owner here: one of them in each run.
    const leader = await stage.person(options.seed % 2 === 0 ? "admin" : "owner");
    const before = await rowsOfAda();
    const named = [
      "saved_views",
      "sessions",
      "oauth_grants",
      "passkeys",
      "mailboxes",
      "messages",
      "threads",
      "calendars",
      "meetings",
    ].map((table) => String(ids[table]));
    // Not what a member approved: they may end that.
    const notEnded = [
      ids.saved_views,
      ids.sessions,
      ids.passkeys,
      ids.mailboxes,
      ids.messages,
      ids.threads,
      ids.calendars,
      ids.meetings,
    ].map(String);
    // Each id is named once in each field, by one of the two: who it is changes with the field and the run.
    const chance = chanceOf(options.seed);
    const tries = () =>
      named.map((id) => ({ id, cookie: notEnded.includes(id) && chance.percent(50) ? leader.cookie : bo.cookie }));
    let tried = 0;
    for (const [name, operation] of everyOperation) {
      for (const field of namingFields(operation)) {
        const { naming } = await inputNaming([name, operation], field, stage);
        for (const { id, cookie } of tries()) {
          const as = { cookie, workspace: stage.id };
          const { status, text } = await raw(requestOf(operation, naming(id), as, server.url()));
          expect(text, `${name}.${field}`).not.toContain(MARK);
          expect([200, 201, 403, 404], `${name}.${field}: ${text}`).toContain(status);
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(300);
    for (const { contract } of userOperations)
      for (const field of namingFields({ contract }))
        for (const id of named) {
          const input = { ...(contract.example.input as object), [field]: isList({ contract }, field) ? [id] : id };
          const sent = requestOf({ contract } as Operation, input, { key: "" }, server.url());
          Object.assign(sent.init.headers, {
            cookie: bo.cookie,
            origin: server.url(),
            "sec-fetch-site": "same-origin",
          });
          expect((await raw(sent)).text, contract.name).not.toContain(MARK);
        }
    await settleMeetingsNow(stage.caller);
    await settleNow(stage.caller); // an administrator may change how much members share at most
    expect(await rowsOfAda()).toEqual(before);
  });
});
