/** Merging and unmerging while others write about the same records. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Db } from "#lib/db/handle.ts";
import { lock, tryLock } from "#lib/db/locks.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

beforeAll(() => bootWith({ RATE_LIMIT_PER_MINUTE: "0", DATABASE_POOL_SIZE: "10" }));
const { call } = useServer();
const log = useLog();

/** Two people of one workspace, each with a job title. */
async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const person = async (email: string): Promise<string> => {
    const { body } = await call("/v2/people", { key, body: { email, job_title: `Title of ${email}` } });
    return (body.person as { id: string }).id;
  };
  const [anna, ben] = [await person("anna@acme.com"), await person("ben@acme.com")];
  const post = (path: string, body: object) => call(path, { key, body });
  const merge = (keep: string, drop: string) => post("/v2/accounts/merge", { keep, drop });
  return { workspace, key, anna, ben, person, post, merge };
}

/** Holds a record while `queue` sends requests that wait for it, one behind the other, and returns their answers. */
async function inLine<T>(
  { id }: Awaited<ReturnType<typeof createTestWorkspace>>,
  record: string,
  queue: (() => Promise<T>)[],
): Promise<T[]> {
  const sent: Promise<T>[] = [];
  await withWorkspace(id, async (db) => {
    await lock(db, "entity", [record]);
    for (const send of queue) {
      sent.push(send());
      await waiting(sent.length);
    }
  });
  return Promise.all(sent);
}

/** Resolves once this many statements of this database wait for a lock. */
const waiting = (count: number) =>
  expect
    .poll(() => inspect("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
    .toHaveLength(count);

describe("a change of a record that waits", () => {
  test("for its unmerging knows nothing of the other record any more", async () => {
    const { workspace, key, anna, ben, merge, post } = await setUp();
    const merged = await merge(ben, anna);
    const [unmerged, patched] = await inLine(workspace, ben, [
      () => post("/v2/accounts/unmerge", { merge_id: merged.body.merge_id }),
      () => call(`/v2/people/${ben}`, { key, method: "PATCH", body: { job_title: "CEO" } }),
    ]);
    expect([unmerged?.status, patched?.status]).toEqual([200, 200]);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("for its merging counts for the record that stays", async () => {
    const { workspace, key, anna, ben, merge } = await setUp();
    const [merged, patched] = await inLine(workspace, ben, [
      () => merge(anna, ben),
      () => call(`/v2/people/${ben}`, { key, method: "PATCH", body: { email: "ben@other.com", job_title: "CEO" } }),
    ]);
    expect([merged?.status, patched?.status]).toEqual([200, 200]);
    expect(patched?.body.person).toMatchObject({ id: anna, job_title: "CEO" });
    const [owner] = await inspect<{ id: string }>(
      "SELECT entity_id AS id FROM identifiers WHERE workspace_id = $1 AND value = 'ben@other.com'",
      [workspace.id],
    );
    expect(owner?.id).toBe(anna);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("for a merge of the record that another was merged into meanwhile is about the last of them", async () => {
    const { workspace, anna, ben, person, merge } = await setUp();
    const cleo = await person("cleo@acme.com");
    const [first, second] = await inLine(workspace, anna, [() => merge(cleo, anna), () => merge(anna, ben)]);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    const [row] = await inspect<{ absorbed: string[] }>("SELECT absorbed FROM entities WHERE id = $1", [cleo]);
    expect(row?.absorbed.toSorted()).toEqual([anna, ben].toSorted());
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });
});

describe("what waits for an address or a domain holds no record meanwhile", () => {
  /** Holds a domain or address, sends a request that needs it, and says whether the record is free while that waits. */
  async function isFree(
    id: Parameters<typeof withWorkspace>[0],
    hold: (db: Db) => Promise<void>,
    record: string,
    send: () => Promise<{ status: number }>,
  ) {
    let sent: Promise<{ status: number }> | undefined;
    const free = await withWorkspace(id, async (db) => {
      await hold(db);
      sent = send();
      await waiting(1);
      return tryLock(db, "entity", record);
    });
    return { free, status: (await sent)?.status };
  }
  const domain = (db: Db) => lock(db, "domain", ["domain other.com"]);

  test("adding an address at a new company", async () => {
    const { workspace, anna, post } = await setUp();
    const adding = () => post(`/v2/accounts/${anna}/identifiers`, { kind: "email", value: "anna@other.com" });
    expect(await isFree(workspace.id, domain, anna, adding)).toEqual({ free: true, status: 200 });
  });

  test("merging records", async () => {
    const { workspace, anna, ben, merge } = await setUp();
    const address = (db: Db) => lock(db, "identifier", ["email ben@acme.com"]);
    expect(await isFree(workspace.id, address, anna, () => merge(anna, ben))).toEqual({ free: true, status: 200 });
  });

  test("merging and unmerging them while messages are stored, and neither is begun again", async () => {
    const { workspace, anna, ben, merge, post } = await setUp();
    const mail = (db: Db) => lock(db, "mail");
    let mergeId = "";
    const merging = async () => {
      const { status, body } = await merge(anna, ben);
      mergeId = String(body.merge_id);
      return { status };
    };
    const unmerging = () => post("/v2/accounts/unmerge", { merge_id: mergeId });
    expect(await isFree(workspace.id, mail, anna, merging)).toEqual({ free: true, status: 200 });
    await expect.poll(() => inspect("SELECT FROM graphile_worker._private_jobs")).toEqual([]); // they hold mail too
    expect(await isFree(workspace.id, mail, anna, unmerging)).toEqual({ free: true, status: 200 });
    expect(log.text()).not.toContain("begins again");
  });
});
