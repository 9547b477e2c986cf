import pg from "pg";
import { DIRECT_OPTIONS, directUrl } from "#lib/db/pooler.ts";

/** One connection for `work`, as the owner of the queue: jobs of all workspaces. */
export async function pgOf<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: directUrl(),
    options: DIRECT_OPTIONS,
    application_name: "rapport-jobs",
  });
  client.on("error", () => undefined); // the running query fails too
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
