import { expect, test } from "vitest";
import { type OutageEvent, onOutage, wasLostSince } from "#lib/core/outage.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { useGate } from "#lib/testing/gate.fixture.ts";
import { WatchedClient, WatchedPool } from "./watched.ts";

const gate = useGate();

function openPool(silentMillis: number): WatchedPool {
  const config = { connectionString: gate.url(), max: 2, pipeline: true, connectionTimeoutMillis: 4_000 };
  const pool = new WatchedPool({ ...config, Client: WatchedClient, silentMillis } as object);
  pool.on("error", () => undefined);
  return pool;
}
const failureOf = (query: Promise<unknown>): Promise<unknown> => query.then(() => null).catch((error: Error) => error);

test("a server that becomes silent in the middle of a query is given up, and found again", async () => {
  const pool = openPool(2_500);
  await pool.query("SELECT 1");
  const client = await pool.connect();
  const began = performance.now();
  const [first, second] = [failureOf(client.query("SELECT pg_sleep(0.05)")), failureOf(client.query("SELECT 2"))];
  gate.hush();
  for (const failure of await Promise.all([first, second])) expect(isUnavailable(failure)).toBe(true);
  expect(wasLostSince(began)).toBe(true);
  client.release(true);
  expect(isUnavailable(await failureOf(pool.connect()))).toBe(true);
  await gate.open();
  expect((await pool.query("SELECT 3 AS three")).rows).toEqual([{ three: 3 }]);
  await pool.end();
});

test("an idle connection, and a statement that is answered in time, are left alone", async () => {
  const pool = openPool(3_000);
  const pid = async () => (await pool.query("SELECT pg_backend_pid() AS pid, pg_sleep(0.4)")).rows[0]?.pid as number;
  const first = await pid();
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(await pid()).toBe(first);
  await pool.end();
});

test("an outage is reported once when it begins and once when it ends", async () => {
  const told: OutageEvent[] = [];
  onOutage((event) => void told.push(event));
  const pool = openPool(2_500);
  await pool.query("SELECT 1");
  await gate.close();
  for (let time = 0; time < 5; time++) expect(isUnavailable(await failureOf(pool.query("SELECT 1")))).toBe(true);
  expect(told).toEqual([{ type: "away", reason: "nothing listens there" }]);
  await gate.open();
  await pool.query("SELECT 1");
  expect(told).toEqual([told[0], { type: "back", ms: expect.any(Number) }]);
  onOutage(() => undefined);
  await pool.end();
});

test("a timeout while all connections are busy is a loss, not an outage", async () => {
  const told: OutageEvent[] = [];
  onOutage((event) => void told.push(event));
  const pool = openPool(5_000);
  const taken = [await pool.connect(), await pool.connect()];
  const began = performance.now();
  const failure = await failureOf(pool.connect());
  expect(isUnavailable(failure)).toBe(true);
  expect(wasLostSince(began)).toBe(true);
  expect(told).toEqual([]);
  onOutage(() => undefined);
  for (const client of taken) client.release();
  await pool.end();
});

test("a pool that we closed is no outage", async () => {
  const told: OutageEvent[] = [];
  onOutage((event) => void told.push(event));
  const pool = openPool(5_000);
  await pool.end();
  expect(isUnavailable(await failureOf(pool.connect()))).toBe(true);
  expect(told).toEqual([]);
  onOutage(() => undefined);
});
