/** What a member shares with nobody, against everything that reads: every operation, tool, resource and stream, by every kind of credential. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { startSession } from "#lib/auth/sessions.ts";
import { mayWrite } from "#lib/core/operation.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { announce } from "#lib/live/announce.ts";
import { resources } from "#lib/mcp/resources.ts";
import { tools } from "#lib/mcp/tools.ts";
import { database, inspect } from "../database.ts";
import { eventsOf } from "../events.fixture.ts";
import { addMailbox, mailOf } from "../mail.fixture.ts";
import { oauthClient } from "../oauth.fixture.ts";
import { useServer } from "../server.fixture.ts";
import { everyOperation } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { cookieOf, createStage, type Stage } from "./stage.ts";
import { type As, requestOf, sender } from "./surface.ts";
import { callTool, givenOf } from "./tool-calls.ts";

const server = useServer();
const { raw } = sender(server.url);
const { connect, ask } = oauthClient(server.url);

/** A word that only Ada's mail has, in what it says and in an address, and the examples never. */
const MARK = "quokkabudget";

type Person = Awaited<ReturnType<Stage["person"]>>;
type Credentials = { session: As; login: string; client: string };

let stage: Stage;
let [ada, bo]: [Person, Person] = [] as never;
let [adas, bos]: [Credentials, Credentials] = [] as never;
let key: string;
let mailbox: Awaited<ReturnType<typeof addMailbox>>;
let [thread, message] = ["", ""];

/** A browser, a device login and a connected client of a member. */
async function credentialsOf(person: Person): Promise<Credentials> {
  const login = await stage.key(["read"]);
  const keyId = "SELECT id FROM api_keys WHERE workspace_id = $2 ORDER BY id DESC LIMIT 1";
  await inspect(`UPDATE api_keys SET login_user_id = $1 WHERE id = (${keyId})`, [person.userId, stage.id]);
  const sessionId = await startSession(person.userId, { ip: "127.0.0.1", userAgent: "test" });
  const cookie = await cookieOf(person.userId, sessionId);
  const headers = () => ({ cookie, origin: server.url(), "sec-fetch-site": "same-origin" });
  const { tokens } = await connect({ userId: person.userId, sessionId, workspaceId: stage.id, headers });
  return { session: { cookie: person.cookie, workspace: stage.id }, login, client: tokens.access_token };
}

const receive = (id: string, headers: Record<string, string> = {}) =>
  mailbox.receive([
    mailOf(
      {
        ...{ From: `${MARK} Smith <anna@acme.com>`, To: ada.email, Subject: `Subject ${MARK}` },
        ...{ "Message-ID": `<${id}@acme.com>`, Date: "Mon, 1 Jun 2026 09:00:00 +0000", ...headers },
      },
      `Who approves the ${MARK}?`,
    ),
  ]);

beforeAll(async () => {
  stage = await createStage();
  await stage.person("owner");
  [ada, bo] = [await stage.person("member"), await stage.person("member")];
  await stage.anna();
  key = await stage.key(["read"]);
  [adas, bos] = [await credentialsOf(ada), await credentialsOf(bo)];
  mailbox = await addMailbox({ workspaceId: stage.id, ...ada }, { share: "nothing" });
  await receive("first");
  await receive("second", {
    ...{ From: ada.email, To: `${MARK}@acme.com, anna@acme.com`, "In-Reply-To": "<first@acme.com>" },
    Date: "Mon, 1 Jun 2026 10:00:00 +0000",
  });
  await stage.rested();
  const [row] = await inspect<{ id: string; thread: string }>(
    "SELECT id, thread FROM messages WHERE workspace_id = $1",
    [stage.id],
  );
  if (!row) throw new Error("the message was not kept");
  [thread, message] = [row.thread, row.id];
});

/** Input that asks for Ada's mail; of what is not here, the right input of the battery. */
const asking: Readonly<Record<string, () => Record<string, unknown>>> = {
  getThread: () => ({ id: thread }),
  previewThread: () => ({ id: thread }),
  previewMailbox: () => ({ id: mailbox.id }),
  listMessages: () => ({ ids: [message] }),
  searchNotes: () => ({ question: MARK, types: ["note", "email"] }),
  getContext: () => ({ focus: "anna@acme.com", intent: "draft_email" }),
  getContextText: () => ({ focus: "anna@acme.com", intent: "follow_up" }),
  listThreads: () => ({ focus: "anna@acme.com" }),
  previewThreads: () => ({ focus: "anna@acme.com" }),
  queryObservations: () => ({ scope: {} }),
  resolveFocus: () => ({ focus: "anna@acme.com" }),
};

const inputs = new Map<string, Promise<Record<string, unknown>>>();
function inputFor(name: string): Promise<Record<string, unknown>> {
  const made = inputs.get(name) ?? (async () => asking[name]?.() ?? (await inputOf(name, stage)))();
  inputs.set(name, made);
  return made;
}

/** What only reads. */
const reads = everyOperation.filter(
  ([name, { contract }]) =>
    contract.scope === "read" && !mayWrite(contract) && (contract.http.method === "GET" || name in asking),
);

const mail = ["getThread", "listMessages", "searchNotes", "getContext", "getContextText", "listThreads"];

/** The names of those operations that answer with the mark, and how many were asked. */
async function telling(as: As, which: (operation: Operation) => boolean = () => true) {
  const names: string[] = [];
  let asked = 0;
  for (const [name, operation] of reads.filter(([, each]) => which(each))) {
    if ("key" in as && operation.contract.surface !== "public") continue;
    const { status, text } = await raw(requestOf(operation, await inputFor(name), as, server.url()));
    expect([200, 201, 403, 404], `${name}: ${text}`).toContain(status);
    if (text.includes(MARK)) names.push(name);
    asked++;
  }
  return { names: names.toSorted(), asked };
}

/** Those tools and resources whose answer has the mark. */
async function tellingTools(bearer: string): Promise<string[]> {
  const names: string[] = [];
  const given: Record<string, Record<string, unknown>> = {
    search: { query: MARK },
    fetch: { id: `thread:${thread}` },
  };
  for (const [name, { contract }] of everyOperation)
    if (contract.tool && !mayWrite(contract)) given[contract.tool.name] = givenOf(contract.tool, await inputFor(name));
  for (const { name, reads: isRead } of tools) {
    if (!isRead || !(name in given)) continue;
    const result = await callTool(server.url(), bearer, name, given[name] ?? {});
    if (JSON.stringify(result).includes(MARK)) names.push(name);
  }
  for (const uri of [...resources.map((one) => one.uri), "rapport://accounts/anna@acme.com"]) {
    const { text } = await ask(bearer, { method: "resources/read", params: { uri } });
    if (text.includes(MARK)) names.push(uri);
  }
  return names.toSorted();
}

describe("mail that a member shares with nobody", () => {
  test("is in what they read themselves, by session, device login and connected client", async () => {
    expect((await telling(adas.session)).names).toEqual(mail.toSorted());
    expect((await telling({ key: adas.login })).names).toEqual(
      mail.filter((name) => !["getContextText", "listMessages"].includes(name)).toSorted(),
    );
    const ofTools = ["fetch", "get_context", "list_threads", "search"];
    expect(await tellingTools(adas.client)).toEqual(ofTools);
    expect(await tellingTools(adas.login)).toEqual(ofTools);
  });

  test("is in no operation, tool and resource of a colleague, the owner or a key, and in no preview", async () => {
    const owner = await stage.person("owner");
    const askers: As[] = [bos.session, { cookie: owner.cookie, workspace: stage.id }, { key: bos.login }, { key }];
    for (const as of askers) {
      const { names, asked } = await telling(as);
      expect(names).toEqual([]);
      expect(asked).toBeGreaterThan(35);
    }
    for (const bearer of [bos.client, bos.login, key]) expect(await tellingTools(bearer)).toEqual([]);
    expect((await telling(adas.session, ({ contract }) => contract.name.startsWith("preview"))).names).toEqual([]);
  });

  test("changes no answer to a colleague by a byte, when more of it comes", async () => {
    const about = [
      "getContext",
      "getContextText",
      "listThreads",
      "searchNotes",
      "getAccount",
      "getTimeline",
      "listActivities",
      "listPeople",
      "listChanges",
    ];
    const all = async () => {
      const answers: Record<string, string> = {};
      for (const [name, operation] of reads.filter(([each]) => about.includes(each))) {
        const { text } = await raw(requestOf(operation, await inputFor(name), bos.session, server.url()));
        answers[name] = text.replaceAll(/"next_cursor":"[^"]+"/g, ""); // sealed anew each time
      }
      return answers;
    };
    const before = await all();
    expect(Object.keys(before)).toHaveLength(about.length);
    for (let index = 0; index < 5; index++)
      await receive(`more-${index}`, {
        "In-Reply-To": "<first@acme.com>",
        Date: `Tue, 2 Jun 2026 1${index}:00:00 +0000`,
      });
    await stage.rested();
    expect(await all()).toEqual(before);
  });

  const liveOf = async ({ cookie }: Person) => {
    const stream = await eventsOf(`${server.url()}/api/app/${stage.id}/live`, {
      ...{ cookie, origin: server.url(), "sec-fetch-site": "same-origin" },
    });
    expect((await stream.next())?.event).toBe("missed"); // what every stream begins with
    return stream;
  };

  test("is told by no stream to a colleague, not even when it came", async () => {
    const [stream, own] = [await liveOf(bo), await liveOf(ada)];
    const heard: string[] = [];
    const end = (async () => {
      for (let event = await stream.next(); event; event = await stream.next()) {
        heard.push(JSON.stringify(event));
        if (heard.at(-1)?.includes('"activity"')) return;
      }
    })();
    await receive("streamed", { "In-Reply-To": "<first@acme.com>" });
    announce(stage.id, { topic: "integrations", user_id: ada.userId }); // as a look at the mailbox does
    expect((await own.next())?.event).toBe("integrations");
    own.leave();
    await stage.rested();
    await sleep(200);
    const before = [...heard];
    await stage.run("capture", { email: "anna@acme.com", type: "call", source: "test" });
    await end;
    stream.leave();
    expect(before).toEqual([]);
  });

  test("stays so under load, with connections that fail at any moment", async () => {
    const names = ["getContext", "listThreads", "getThread", "searchNotes"];
    const operations = reads.filter(([name]) => names.includes(name));
    const counts = { ada: 0, bo: 0, failed: 0 };
    let over = false;
    const killing = (async () => {
      while (!over) {
        await inspect(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()
             AND usename <> 'postgres' AND state IN ('active', 'idle in transaction') ORDER BY random() LIMIT 1`,
          [database.name],
        );
        await sleep(15);
      }
    })();
    const rounds = Array.from({ length: 60 }, (_, index) => index);
    const askOnce = async (round: number, whose: "ada" | "bo") => {
      const [name, operation] = operations[round % operations.length] as (typeof operations)[number];
      const { session, login } = whose === "ada" ? adas : bos;
      const as: As = round % 2 === 0 ? session : { key: login };
      const { status, text } = await raw(requestOf(operation, await inputFor(name), as, server.url()));
      if (status >= 500) counts.failed++;
      else if (whose === "bo") expect(text, name).not.toContain(MARK);
      else expect(text, `${name} ${status}`).toContain(MARK);
      if (status < 500) counts[whose]++;
    };
    for (let at = 0; at < rounds.length; at += 6)
      await Promise.all(rounds.slice(at, at + 6).flatMap((round) => [askOnce(round, "ada"), askOnce(round, "bo")]));
    over = true;
    await killing;
    expect(counts.ada).toBeGreaterThan(20);
    expect(counts.bo).toBeGreaterThan(20);
  });
});
