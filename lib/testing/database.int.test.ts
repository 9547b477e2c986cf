import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { getPool } from "#lib/db/pool.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { bootWith, database, inspect } from "./database.ts";

describe("the test database", () => {
  test("is migrated and belongs to this file", async () => {
    const tables = await inspect<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    expect(tables.map(({ name }) => name)).toContain("_prisma_migrations");
    expect(getBoot().databaseUrl).toContain(database.name);
  });

  test("is what services reach through the pool, under row level security", async () => {
    const pool = await getPool();
    const { rows } = await pool.query(
      "SELECT current_database() AS name, (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses",
    );
    expect(rows).toEqual([{ name: database.name, bypasses: false }]);
  });

  test("takes other settings for a test", () => {
    bootWith({ SIGNUPS: "invite" });
    expect(getBoot().env.SIGNUPS).toBe("invite");
    bootWith();
    expect(getBoot().env.SIGNUPS).toBeUndefined();
  });

  test("makes ids the database takes", async () => {
    expect(await inspect("SELECT $1::uuid IS NOT NULL AS ok", [newId()])).toEqual([{ ok: true }]);
  });
});
