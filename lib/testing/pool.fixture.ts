import type pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { getPool } from "#lib/db/pool.ts";

/** Counts the connections to the database that were given back broken, and so closed, while a test file runs. */
export function watchConnections(): { destroyed(): number } {
  let destroyed = 0;
  let pool: pg.Pool | undefined;
  const released = (error: unknown) => {
    if (error) destroyed++;
  };
  beforeAll(async () => {
    pool = await getPool();
    pool.on("release", released);
  });
  afterAll(() => void pool?.off("release", released));
  return { destroyed: () => destroyed };
}
