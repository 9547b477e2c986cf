/** What is open ends with the right to it: streams and waits of keys, logins and browsers, under two tenants. */
import { beforeAll, describe, expect, test } from "vitest";
import { createStage, type Stage, signIn } from "#lib/testing/conformance/stage.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { eventsOf, type StreamEvent } from "#lib/testing/events.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { openWire, requestText } from "#lib/testing/socket.fixture.ts";

const { call, url } = useServer();
beforeAll(() => bootWith({ SIGNUPS: "open" }));

/** Longer than a notification takes on a busy machine, and far less than the time between two checks without one. */
const SOON_MS = 15_000;

const soon = <T>(promised: Promise<T>): Promise<T | "still open"> =>
  Promise.race([promised, new Promise<"still open">((resolve) => setTimeout(resolve, SOON_MS, "still open"))]);

type Asker = { app?: string; headers: Record<string, string> };

const byKey = (key: string): Asker => ({ headers: { authorization: `Bearer ${key}` } });
const byCookie = (stage: Stage, cookie: string): Asker => ({
  app: `/api/app/${stage.id}`,
  headers: { cookie, origin: url(), "sec-fetch-site": "same-origin" },
});

/** A stream of changes, a wait for them and, for a browser, the stream of its open page. */
async function open({ app = "", headers }: Asker) {
  const changes = await eventsOf(`${url()}${app}/v2/changes?cursor=now`, headers);
  const streams = [changes, ...(app ? [await eventsOf(`${url()}${app}/live`, headers)] : [])];
  for (const stream of streams) await stream.next(); // where it begins
  const { body } = await call(`${app}/v2/changes?cursor=now`, { headers });
  const wait = call(`${app}/v2/changes?cursor=${body.next_cursor}&wait=40`, { headers });
  await new Promise((resolve) => setTimeout(resolve, 50)); // until it waits
  return {
    /** Until all of it was ended by the server, and what it told last. */
    async ended(): Promise<void> {
      const told = await soon(Promise.all(streams.map(restOf)));
      expect(told, "a stream").not.toBe("still open");
      expect(JSON.stringify(told)).not.toContain("afterwards");
      const answer = await soon(wait);
      if (answer === "still open") throw new Error("a wait is still open");
      expect([200, 401, 404]).toContain(answer.status);
      expect(answer.body.changes ?? []).toEqual([]);
      const again = await call(`${app}/v2/changes`, { headers });
      expect([401, 404]).toContain(again.status);
    },
    /** Until it was told of something of this name; then it is closed from here. */
    async hears(name: string): Promise<void> {
      const heard = await soon(changesUntil(changes, name));
      expect(heard, `a stream that hears of ${name}`).not.toBe("still open");
      for (const stream of streams) stream.leave();
      await wait;
    },
  };
}

async function restOf(stream: Awaited<ReturnType<typeof eventsOf>>): Promise<StreamEvent[]> {
  const told: StreamEvent[] = [];
  for (let next = await stream.next(); next !== null; next = await stream.next()) told.push(next);
  return told;
}

async function changesUntil(stream: Awaited<ReturnType<typeof eventsOf>>, name: string): Promise<void> {
  for (let next = await stream.next(); !JSON.stringify(next).includes(name); next = await stream.next())
    if (next === null) throw new Error("the stream has ended");
}

const record = (stage: Stage, name: string) =>
  stage.run("upsertPerson", { email: `${name}@acme.com`, first_name: name });

const revokeKeys = async (stage: Stage, name: string) => {
  const rows = await inspect<{ id: string }>("SELECT id FROM api_keys WHERE workspace_id = $1 AND name = $2", [
    stage.id,
    name,
  ]);
  for (const { id } of rows) await stage.run("revokeApiKey", { id });
};

const nameKey = (stage: Stage, key: string, name: string, loginUserId: string | null = null) =>
  inspect("UPDATE api_keys SET name = $3, login_user_id = $4 WHERE workspace_id = $1 AND prefix = $2", [
    stage.id,
    key.split("_")[1],
    name,
    loginUserId,
  ]);

describe("streams and waits", () => {
  test("of a key end when it is revoked; those of another key and another workspace go on", async () => {
    const [stage, other] = [await createStage(), await createStage()];
    const [key, kept, foreign] = [await stage.key(["read"]), await stage.key(["read"]), await other.key(["read"])];
    await nameKey(stage, key, "to revoke");
    const [revoked, going, elsewhere] = [await open(byKey(key)), await open(byKey(kept)), await open(byKey(foreign))];
    await revokeKeys(stage, "to revoke");
    const ended = revoked.ended();
    await record(stage, "afterwards");
    await ended;
    await going.hears("afterwards");
    await record(other, "theirs");
    await elsewhere.hears("theirs");
  });

  const endings: [string, (stage: Stage, person: { userId: string; memberId: string }) => Promise<unknown>][] = [
    ["is removed from the workspace", (stage, { memberId }) => stage.run("removeMember", { id: memberId })],
    [
      "ends this session in another window",
      async (_, { userId }) => {
        const elsewhere = { cookie: await signIn(userId), origin: url(), "sec-fetch-site": "same-origin" };
        const { status } = await call("/api/account/sessions/others", { method: "DELETE", headers: elsewhere });
        expect(status).toBe(200);
      },
    ],
    [
      "sets a new password in another window",
      async (_, { userId }) => {
        const headers = { cookie: await signIn(userId), origin: url(), "sec-fetch-site": "same-origin" };
        const { status } = await call("/api/account/password", {
          headers,
          body: { password: "correct horse battery" },
        });
        expect(status).toBe(200);
      },
    ],
  ];

  test.each(endings)("of a person end when they are told of it: who %s; a colleague's go on", async (_, end) => {
    const stage = await createStage();
    const [colleague, person] = [await stage.person("owner"), await stage.person("member")];
    const [going, ending] = [await open(byCookie(stage, colleague.cookie)), await open(byCookie(stage, person.cookie))];
    await end(stage, person);
    await ending.ended();
    await record(stage, "afterwards");
    await going.hears("afterwards");
  });

  test("of a login's key end when its person is removed", async () => {
    const stage = await createStage();
    const person = await stage.person("member");
    const key = await stage.key(["read"]);
    await nameKey(stage, key, "login", person.userId);
    const ending = await open(byKey(key));
    await stage.run("removeMember", { id: person.memberId });
    await ending.ended();
  });

  test("end when the workspace is deleted", async () => {
    const stage = await createStage();
    const { cookie } = await stage.person("owner");
    const [ofKey, ofPage] = [await open(byKey(await stage.key(["read"]))), await open(byCookie(stage, cookie))];
    await stage.run("deleteWorkspace", { confirm: "Test" });
    await Promise.all([ofKey.ended(), ofPage.ended()]);
  });

  test("of a person who is lowered go on, because the role may still read", async () => {
    const stage = await createStage();
    await stage.person("owner");
    const admin = await stage.person("admin");
    const going = await open(byCookie(stage, admin.cookie));
    await stage.run("changeRole", { id: admin.memberId, role: "member" });
    await record(stage, "afterwards");
    await going.hears("afterwards");
  });
});

describe("a request whose body comes late", () => {
  /** Sends the head of a request, waits until its sender is known, does `meanwhile`, and sends the body a second later; the status. */
  async function late(line: string, headers: Record<string, string>, body: string, meanwhile: () => Promise<unknown>) {
    const wire = openWire(url());
    const length = String(Buffer.byteLength(body));
    const { host } = new URL(url());
    wire.write(requestText(line, { host, "content-type": "application/json", "content-length": length, ...headers }));
    wire.write(body.slice(0, 1));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await meanwhile();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    wire.write(body.slice(1));
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(await wire.until(/^HTTP\/1\.1 \d+[\s\S]*\r\n\r\n/)) ?? [];
    wire.destroy();
    return Number(status);
  }

  const person = JSON.stringify({ email: "late@acme.com", first_name: "Late" });
  const peopleOf = async ({ id }: Stage) => inspect("SELECT 1 FROM people WHERE workspace_id = $1", [id]);

  test("is refused when its key was revoked meanwhile, and answered when it was not", async () => {
    const stage = await createStage();
    const [key, kept] = [await stage.key(), await stage.key()];
    await nameKey(stage, key, "to revoke");
    const revoke = () => revokeKeys(stage, "to revoke");
    expect(await late("POST /v2/people", byKey(key).headers, person, revoke)).toBe(401);
    expect(await peopleOf(stage)).toEqual([]);
    expect(await late("POST /v2/people", byKey(kept).headers, person, async () => undefined)).toBe(201);
  });

  test("calls no tool and keeps no file when its key was revoked meanwhile", async () => {
    const stage = await createStage();
    const [ofTool, ofFile] = [await stage.key(), await stage.key()];
    await nameKey(stage, ofTool, "tool");
    await nameKey(stage, ofFile, "file");
    const params = {
      name: "record",
      arguments: { focus: "late@acme.com", observations: [{ kind: "state", property: "seniority", value: "vp" }] },
    };
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const accept = { accept: "application/json, text/event-stream" };
    const tool = { ...byKey(ofTool).headers, ...accept };
    expect(await late("POST /mcp", tool, message, () => revokeKeys(stage, "tool"))).toBe(401);
    const file = { ...byKey(ofFile).headers, "content-type": "text/csv" };
    const answered = late("POST /v2/imports?name=late", file, "Email\nlate@acme.com\n", () =>
      revokeKeys(stage, "file"),
    );
    expect(await answered).toBe(401);
    expect(await peopleOf(stage)).toEqual([]);
    expect((await stage.run("listImports", {})).imports).toEqual([]);
  });

  test("gives no rights to who was removed or lowered meanwhile", async () => {
    const stage = await createStage();
    await stage.person("owner");
    const [removed, lowered] = [await stage.person("admin"), await stage.person("admin")];
    const line = `POST /api/app/${stage.id}/api-keys`;
    const key = JSON.stringify({ name: "Back door", scopes: ["admin"] });
    const minting = await Promise.all([
      late(line, byCookie(stage, removed.cookie).headers, key, () =>
        stage.run("removeMember", { id: removed.memberId }),
      ),
      late(line, byCookie(stage, lowered.cookie).headers, key, () =>
        stage.run("changeRole", { id: lowered.memberId, role: "member" }),
      ),
    ]);
    expect(minting).toEqual([404, 403]);
    expect(await inspect("SELECT 1 FROM api_keys WHERE workspace_id = $1", [stage.id])).toEqual([]);
  });

  test("sets no password in a session that was ended meanwhile", async () => {
    const stage = await createStage();
    const { userId, cookie } = await stage.person("member");
    const headers = { cookie, origin: url(), "sec-fetch-site": "same-origin" };
    const end = () => inspect("UPDATE sessions SET revoked_at = now() WHERE user_id = $1", [userId]);
    const body = JSON.stringify({ password: "correct horse battery" });
    expect(await late("POST /api/account/password", headers, body, end)).toBe(401);
    expect(await inspect("SELECT 1 FROM users WHERE id = $1 AND password_hash IS NOT NULL", [userId])).toEqual([]);
  });
});
