import { connected } from "#lib/db/connected.ts";

// workspaces_pkey. A database that was restored may be of a release before this one: only columns that were always there.
const note = `INSERT INTO audit_log (workspace_id, id, at, actor, client, request_id, action, detail)
  SELECT id, gen_random_uuid(), date_trunc('milliseconds', now()), $1, 'rapport-cli', gen_random_uuid()::text, $2, $3::jsonb FROM workspaces`;

/** Notes in the audit log of every workspace what an operator did with the whole database. */
export async function insertForAll(
  superuserUrl: string,
  entry: { operator: string; action: string; detail: Readonly<Record<string, unknown>> },
): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = "/rapport";
  await connected({ connectionString: url.href, application_name: "rapport-backup" }, async (client) => {
    await client.query(note, [`cli:${entry.operator}`, entry.action, JSON.stringify(entry.detail)]);
  });
}
