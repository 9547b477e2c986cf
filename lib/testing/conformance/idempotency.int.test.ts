/** A repeated POST with the same Idempotency-Key gets the first answer and changes nothing. */
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { keyIdOf } from "#lib/db/encrypted.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { mintApiKey, rotateApiKey } from "#lib/domain/access/api-keys/service.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { insertIdempotent } from "#lib/domain/queries/kept-answers.ts";
import { sealNext } from "#lib/domain/records/audit/service/seal.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { database, inspect } from "../database.ts";
import { administer } from "../postgres.ts";
import { useServer } from "../server.fixture.ts";
import { castOf, oneOfEachKind, postOperations, publicOperations } from "./cast.ts";
import { inputOf, scenarioOf } from "./scenarios.ts";
import type { Stage } from "./stage.ts";
import { type As, type SurfaceRequest, sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);

const replayable = postOperations.filter(([name]) => !scenarioOf(name).neverReplayed);
/** How many requests with one key come at once: many of one operation of each kind, as all are kept alike, and a few of every other. */
const ofItsKind = new Set(oneOfEachKind(replayable).map(([name]) => name));
const atOnce = (name: string): unknown[] => Array.from({ length: ofItsKind.has(name) ? 12 : 4 });

const withKey =
  (key: string) =>
  ({ init }: SurfaceRequest): void => {
    init.headers["idempotency-key"] = key;
  };

/** A request of the operation that succeeds, the same bytes each time it is sent. */
async function repeatable(name: string, operation: Operation) {
  const { stage, as } = await castOf(operation);
  const input = await inputOf(name, stage);
  const key = newId();
  return { stage, as, input, key, again: (more = input) => send(operation, more, as, withKey(key)) };
}

/** Another key of the same workspace, or another of its owners. */
const otherThan = async (as: As, stage: Stage): Promise<As> =>
  "key" in as ? { key: await stage.key() } : { cookie: (await stage.person("owner")).cookie, workspace: stage.id };

/** The answers kept for a workspace. */
const kept = (stage: Stage) =>
  inspect<{ status: number; body: string; encrypted: boolean }>(
    "SELECT status, body, encrypted FROM idempotency WHERE workspace_id = $1",
    [stage.id],
  );

/** An input the service itself refuses: its first id field names nothing. */
function refusedInput(operation: Operation, input: Record<string, unknown>): Record<string, unknown> | null {
  const field = ["id", "focus", "supersedes"].find((name) => name in operation.contract.input.shape);
  return field ? { ...input, [field]: newId() } : null;
}

/** Sends an input that is refused many times at once, and once more. */
async function refusesOnce(operation: Operation, refused: Record<string, unknown>, as: As): Promise<void> {
  const key = newId();
  const ask = () => send(operation, refused, as, withKey(key));
  const answers = await Promise.all(atOnce(operation.contract.name).map(ask));
  const fresh = answers.filter(
    ({ body, headers }) => !headers.get("idempotency-replayed") && body.error !== "idempotency_key_in_use",
  );
  expect(fresh.map(({ status }) => status)).toEqual([404]);
  const later = await ask();
  expect(later.headers.get("idempotency-replayed")).toBe("true");
  for (const { status, text, headers } of [...answers, later])
    if (headers.get("idempotency-replayed")) expect([status, text]).toEqual([404, fresh[0]?.text]);
}

/** On one workspace, since each part begins where the one before has left nothing else. */
test.each(replayable)(
  "%s leaves nothing when it dies, runs or is refused once, and is repeated to its caller alone",
  async (name, operation) => {
    const { stage, as, input, key, again } = await repeatable(name, operation);
    const before = await stage.rows();
    // The server dies between its work and its commit.
    const status = await dieBeforeCommit(again);
    expect(status).toBe(503); // the connection was lost, and whether it had committed is not known
    expect(await stage.rows(), "what it did before it died").toEqual(before);

    // The same request arrives many times at once.
    const answers = await Promise.all(atOnce(name).map(() => again()));
    const [first, ...more] = answers.filter(
      ({ status, headers }) => status < 300 && !headers.get("idempotency-replayed"),
    );
    if (!first) throw new Error(`none ran: ${answers[0]?.text}`);
    expect(first.status, first.text).toBeLessThan(300);
    expect(more, "ran once more").toEqual([]);
    for (const { status, body, text, headers } of answers) {
      if (headers.get("idempotency-replayed")) expect([status, text]).toEqual([first.status, first.text]);
      else if (status >= 300)
        expect([status, body.error, headers.get("retry-after")]).toEqual([409, "idempotency_key_in_use", "1"]);
    }
    const other = await otherThan(as, stage);
    const rows = await stage.rows();
    for (const _ of [1, 2]) {
      const repeated = await again();
      expect([repeated.status, repeated.text]).toEqual([first.status, first.text]);
      expect(repeated.headers.get("idempotency-replayed")).toBe("true");
    }
    const otherBody = await send(operation, input, as, (sent) => {
      withKey(key)(sent);
      sent.init.body = `${sent.init.body as string} `;
    });
    const otherCaller = await send(operation, input, other, withKey(key));
    for (const { status, body } of [otherBody, otherCaller])
      expect([status, body.error]).toEqual([409, "idempotency_key_reused"]);
    expect(await stage.rows()).toEqual(rows);

    const all = await kept(stage);
    expect(all).toHaveLength(1);
    const [row] = all;
    expect(row?.encrypted, "what holds a secret is kept encrypted, and nothing else").toBe(
      operation.contract.secrets?.output !== undefined,
    );
    if (row?.encrypted) {
      expect(keyIdOf(row.body)).toBe(getBoot().secrets.encryptionKeys[0]?.id);
      for (const value of Object.values(first.body))
        if (typeof value === "string" && value.length > 20) expect(row.body).not.toContain(value);
    } else expect(row?.body).toBe(first.text);

    const refused = refusedInput(operation, input);
    if (refused) await refusesOnce(operation, refused, as);
  },
);

test("the audit log may be sealed between two counts of a workspace's rows", async () => {
  const { stage, again } = await repeatable(
    ...(replayable.find(([name]) => name === "rotateTriggerSecret") as [string, Operation]),
  );
  await again();
  const before = await stage.rows();
  await expect.poll(() => sealNext(stage.id)).toBe("done");
  expect(await inspect("SELECT FROM audit_blocks WHERE workspace_id = $1", [stage.id])).not.toEqual([]);
  expect(await stage.rows()).toEqual(before);
});

test("most operations can be asked for what is not there", () => {
  expect(replayable.filter(([, operation]) => refusedInput(operation, {})).length).toBeGreaterThan(30);
});

describe.each(oneOfEachKind(replayable))("%s", (name, operation) => {
  test("answers 409 to another caller with the same request, also when both come at once", async () => {
    const { stage, as, input, key, again } = await repeatable(name, operation);
    const other = await otherThan(as, stage);
    const [own, others] = await Promise.all([again(), send(operation, input, other, withKey(key))]);
    const fresh = [own, others].filter(({ status }) => status < 300);
    expect(fresh.map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null]);
    const [first, second] = fresh[0] === own ? [as, other] : [other, as];
    const rows = await stage.rows();
    const refused = await send(operation, input, second, withKey(key));
    expect([refused.status, refused.body.error]).toEqual([409, "idempotency_key_reused"]);
    const repeated = await send(operation, input, first, withKey(key));
    expect([repeated.status, repeated.text]).toEqual([fresh[0]?.status, fresh[0]?.text]);
    expect(await stage.rows()).toEqual(rows);
  });

  test("refuses a key that is not 1 to 255 visible ASCII characters", async () => {
    const { as, input } = await repeatable(name, operation);
    for (const key of ["", "two words", "ключ", "x".repeat(256), "a\tb"]) {
      // Node's fetch takes only bytes in a header, as a wire does.
      const answered = await send(operation, input, as, withKey(Buffer.from(key).toString("latin1")));
      expect([answered.status, answered.body.error], key).toEqual([400, "invalid_idempotency_key"]);
    }
  });

  test("keeps nothing of a request that was refused before the service began", async () => {
    const { stage, as, input, key, again } = await repeatable(name, operation);
    const refused = await send(operation, input, as, (sent) => {
      withKey(key)(sent);
      sent.init.body = "{";
    });
    expect(refused.status).toBe(400);
    expect(await kept(stage)).toEqual([]);
    const accepted = await again();
    expect(accepted.status, accepted.text).toBeLessThan(300);
    expect(accepted.headers.get("idempotency-replayed")).toBeNull();
  });
});

/** Stops the request where it stores its answer, after its own work, and cuts its connection to the database there. */
async function dieBeforeCommit(request: () => Promise<{ status: number }>): Promise<number> {
  return administer(database.adminUrl, async (client) => {
    await client.query("BEGIN; LOCK TABLE idempotency IN SHARE ROW EXCLUSIVE MODE");
    const running = request();
    const waiting = `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND relation = 'idempotency'::regclass AND datname = current_database()`;
    await expect.poll(async () => (await inspect(waiting)).length).toBe(1);
    await inspect(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS w`);
    const { status } = await running;
    await client.query("ROLLBACK");
    return status;
  });
}

describe("an Idempotency-Key", () => {
  const [name, operation] = replayable.find(([, { contract }]) => contract.surface === "public") as [string, Operation];

  test("belongs to one workspace", async () => {
    const one = await repeatable(name, operation);
    const { stage, as } = await castOf(operation);
    await one.again();
    const other = await send(operation, await inputOf(name, stage), as, withKey(one.key));
    expect(other.headers.get("idempotency-replayed")).toBeNull();
    expect(other.status).toBeLessThan(300);
  });

  test("passes on to the key that rotation made, and not back", async () => {
    const { stage, input, key } = await repeatable(name, operation);
    const caller = { ...stage.caller, role: "owner", actor: { type: "user", id: newId() } } as const;
    const minted = await mintApiKey.execute(caller, { name: "first", scopes: ["admin"] });
    const rotate = async (id: string) => rotateApiKey.execute(caller, { id, overlap_hours: 1 });
    const sent = (as: string, once: string) => send(operation, input, { key: as }, withKey(once));
    const first = await sent(minted.api_key, key);
    const second = await rotate(minted.key.id);
    const third = await rotate(second.key.id);
    for (const successor of [second, third]) {
      const repeated = await sent(successor.api_key, key);
      expect([repeated.text, repeated.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    }
    const later = newId();
    expect((await sent(third.api_key, later)).status).toBe(first.status);
    expect((await sent(minted.api_key, later)).body.error).toBe("idempotency_key_reused");
  });

  test("that was kept before callers were known serves the whole workspace, as it did", async () => {
    const { stage, input, key, again } = await repeatable(name, operation);
    const first = await again();
    await inspect("UPDATE idempotency SET caller = NULL WHERE workspace_id = $1", [stage.id]);
    const other = await send(operation, input, { key: await stage.key() }, withKey(key));
    expect([other.text, other.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  });

  test("of a caller is kept from others by the database too", async () => {
    const { stage, again, key } = await repeatable(name, operation);
    await again();
    const answer = { id: newId(), key, caller: "api_key:another", fingerprint: Buffer.alloc(32), status: 200 };
    const keep = withWorkspace(stage.id, (db) => insertIdempotent(db, { ...answer, body: "theirs", encrypted: false }));
    expect(await keep).toBe(false);
    expect((await kept(stage)).map(({ body }) => body)).not.toContain("theirs");
  });

  test("serves one address: the same body elsewhere is another request", async () => {
    const one = await repeatable(name, operation);
    await one.again();
    const [otherName, other] = replayable.find(
      ([candidate, { contract }]) => contract.surface === "public" && candidate !== name,
    ) as [string, Operation];
    const answered = await send(other, await inputOf(otherName, one.stage), one.as, withKey(one.key));
    expect([answered.status, answered.body.error]).toEqual([409, "idempotency_key_reused"]);
  });

  test("may be used again after a day", async () => {
    const { stage, again } = await repeatable(name, operation);
    await again();
    await inspect("UPDATE idempotency SET created_at = now() - interval '25 hours' WHERE workspace_id = $1", [
      stage.id,
    ]);
    const later = await again();
    expect(later.headers.get("idempotency-replayed")).toBeNull();
    expect(await kept(stage)).toHaveLength(1);
  });

  test("is ignored by a request without a body to repeat", async () => {
    const stage = (await castOf(operation)).stage;
    const key: As = { key: await stage.key() };
    const reads = publicOperations.filter(([, { contract }]) => contract.http.method === "GET");
    for (const [readName, read] of reads) {
      const answered = await send(read, await inputOf(readName, stage), key, withKey("two words"));
      expect(answered.status, answered.text).toBe(200);
    }
    expect(await kept(stage)).toEqual([]);
  });
});
