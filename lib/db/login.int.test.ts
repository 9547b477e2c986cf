import pg from "pg";
import { describe, expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { loginOf, requirePoolable, settleLogin } from "./login.ts";
import { migrate } from "./migrate.ts";
import { APP_SETTINGS } from "./pool.ts";

describe("a login through a pooler", () => {
  test("is refused when it ignores row level security or is in another time zone", async () => {
    const superuser = await loginOf(database.adminUrl);
    expect(() => requirePoolable(superuser)).toThrow(/ignores row level security.*ordinary role/);
    const login = await loginOf(database.url);
    expect(() => requirePoolable({ ...login, isUtc: false, timezone: "Europe/Zurich" })).toThrow(
      /Europe\/Zurich.*RECONNECT/,
    );
    expect(requirePoolable({ ...login, isUtc: true })).toMatchObject({ role: login.role });
  });

  test("finds its settings in the database, and in no other", async () => {
    const login = await loginOf(database.url);
    await expect(migrate({ url: database.url, pooledAs: "postgres" })).rejects.toThrow("ignores row level security");
    await migrate({ url: database.url, pooledAs: login.role });
    await expect(loginOf(database.url)).resolves.toMatchObject({ timezone: "UTC", isUtc: true });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await settleLogin(client, login.role, { ...APP_SETTINGS, timezone: "Asia/Tokyo" });
    await client.end();
    await expect(loginOf(database.url)).resolves.toMatchObject({ timezone: "Asia/Tokyo", isUtc: false });
    const kept = await inspect<{ config: string[] }>(
      "SELECT setconfig AS config FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE d.datname = $1",
      [database.name],
    );
    expect(kept).toEqual([
      {
        config: [
          "TimeZone=Asia/Tokyo",
          "enable_seqscan=off",
          "statement_timeout=30000",
          "lock_timeout=24000",
          "jit=off",
          "random_page_cost=1.1",
        ],
      },
    ]);
  });
});
