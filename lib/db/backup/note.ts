import { connected } from "#lib/db/connected.ts";

/** What happened to the whole database. */
export type Note = {
  action: "backup.made" | "backup.restored";
  /** as the audit log names who acts: `cli:ada` */
  by: string;
  detail: Readonly<Record<string, unknown>>;
};

/** What the app does by itself, as the audit log names it. */
export const BY_ITSELF = "job:backups";

// workspaces_pkey. A database that was restored may be of a release before this one: only columns that were always there.
const note = `INSERT INTO audit_log (workspace_id, id, at, actor, client, request_id, action, detail)
  SELECT id, gen_random_uuid(), date_trunc('milliseconds', now()), $1, CASE WHEN $1 LIKE 'cli:%' THEN 'rapport-cli' END, gen_random_uuid()::text, $2, $3::jsonb
    FROM workspaces`;

/** Notes it in the audit log of every workspace. A database that no release has migrated yet has none. */
export async function noteForAll(superuserUrl: string, { action, by, detail }: Note): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = "/rapport";
  await connected({ connectionString: url.href, application_name: "rapport-backup" }, async (client) => {
    const { rowCount } = await client.query("SELECT WHERE to_regclass('audit_log') IS NOT NULL");
    if (rowCount === 1) await client.query(note, [by, action, JSON.stringify(detail)]);
  });
}
