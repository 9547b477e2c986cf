import { connected } from "#lib/db/connected.ts";
import type { Counts } from "./manifest.ts";

const TABLES = ["workspaces", "users", "people", "companies", "observations", "notes"];

/** How many rows the database of the app has in each of these tables, of all workspaces, as of one moment. */
export async function countRows(superuserUrl: string): Promise<Counts> {
  const url = new URL(superuserUrl);
  url.pathname = "/rapport";
  return connected({ connectionString: url.href, application_name: "rapport-backup" }, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows } = await client.query<{ name: string }>(
      "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL",
      [TABLES],
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      const { rows: counted } = await client.query<{ count: string }>(`SELECT count(*) FROM ${name}`);
      counts[name] = Number(counted[0]?.count);
    }
    return counts;
  });
}
