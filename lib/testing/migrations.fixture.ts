import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Client } from "pg";
import { inject } from "vitest";
import { migrate } from "#lib/db/migrate.ts";
import { administer, onDatabase, roleOf } from "./postgres.ts";

const own = path.resolve(import.meta.dirname, "../..");

type Step<T> = (client: Client) => Promise<T>;

/**
 * What a migration does to rows that are there already: a database of its own is migrated up to before `migration` by an
 * ordinary role, `before` fills it, the rest runs, and `after` looks. Both have a client of the superuser.
 */
export async function acrossMigration<T>(migration: string, before: Step<unknown>, after: Step<T>): Promise<T> {
  const { adminUrl, appUrl, template } = inject("testServer");
  const root = await mkdtemp(path.join(tmpdir(), "rapport-migrations-"));
  const name = `${template}_${migration}_${process.pid}`;
  await administer(adminUrl, (client) => client.query(`CREATE DATABASE "${name}" OWNER ${roleOf(appUrl)}`));
  try {
    const earlier = (await readdir(path.join(own, "prisma/migrations"))).filter((each) => each < migration);
    for (const each of earlier)
      await cp(path.join(own, "prisma/migrations", each), path.join(root, "prisma/migrations", each), {
        recursive: true,
      });
    const url = onDatabase(appUrl, name);
    await migrate({ url, root });
    return await administer(onDatabase(adminUrl, name), async (client) => {
      await before(client);
      await migrate({ url, root: own });
      return after(client);
    });
  } finally {
    await administer(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
    await rm(root, { recursive: true });
  }
}
