/**
 * Ends or cancels database backends while they are in use, and says exactly whose work that hit. Works in the process whose
 * pool it strikes: the test's own, or the app under test (see `inside.ts`).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";

/** One piece of work (a request, a programme): `hit` says what the harness did to it, null when nothing. */
export type Work = { hit: string | null };

export const current = new AsyncLocalStorage<Work>();

type Client = pg.PoolClient & { processID: number };

/** How long a statement of the app under test may take, in milliseconds. Waiting for others may take less, and more than the second after which the database looks for deadlocks. */
export const STATEMENT_MS = 2_000;

/** A cancel that reaches a backend late hits the next statement, so the holder in this time counts as hit too. */
const LATE_MS = 100;

const workByClient = new Map<Client, Work | undefined>();
const watched = new Set<Client>();
const struck = new Map<number, { how: string; until: number }>();

/** Follows who holds which connection of the app's pool. */
export function watchPools(): void {
  const connect = pg.Pool.prototype.connect as (...given: unknown[]) => Promise<Client>;
  Object.assign(pg.Pool.prototype, {
    async connect(this: pg.Pool, ...given: unknown[]) {
      const isApps = (this.options as { application_name?: string } | undefined)?.application_name === "rapport";
      if (!isApps || given.length > 0) return connect.apply(this, given);
      const work = current.getStore();
      const client = await connect.call(this);
      if (!watched.has(client)) {
        watched.add(client);
        client.once("end", () => watched.delete(client));
        client.once("end", () => workByClient.delete(client));
      }
      workByClient.set(client, work);
      const recent = struck.get(client.processID);
      if (recent && performance.now() < recent.until) mark(work, recent.how);
      return client;
    },
  });
}

const mark = (work: Work | undefined, how: string) => {
  if (work) work.hit = how;
};

export type Blow = "terminate" | "cancel";

/** Strikes the backend of one connection of the pool, one in use when there is. False when there was none. */
export async function strike(admin: pg.Client, how: Blow, choose: (count: number) => number): Promise<boolean> {
  const clients = [...watched];
  const client = clients[choose(clients.length)];
  if (!client) return false;
  const pid = client.processID;
  struck.set(pid, { how, until: Number.POSITIVE_INFINITY });
  mark(workByClient.get(client), how);
  await admin.query(`SELECT pg_${how}_backend($1)`, [pid]);
  mark(workByClient.get(client), how);
  const until = how === "terminate" ? Number.POSITIVE_INFINITY : performance.now() + LATE_MS;
  struck.set(pid, { how, until });
  return true;
}
