import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type NewEntry = {
  actor: string;
  client: string | null;
  requestId: string | null;
  action: string;
  subject: string | null;
  detail: Readonly<Record<string, unknown>>;
};

const insert = sql(
  "audit_insert",
  `INSERT INTO audit_log (workspace_id, id, at, actor, client, request_id, action, subject, detail)
   VALUES ($workspace, $1, clock_timestamp(), $2, $3, $4, $5, $6, $7)`,
);

export async function insertEntry(db: Db, entry: NewEntry): Promise<void> {
  const { actor, client, requestId, action, subject, detail } = entry;
  await db.query(insert, [newId(), actor, client, requestId, action, subject, JSON.stringify(detail)]);
}

export type EntryRow = NewEntry & { id: string; at: Date; actorName: string | null };

// audit_log_workspace_id_at_id_idx; users_pkey, api_keys_pkey and oauth_grants_pkey for at most a page of rows. The actor
// `mcp` is a connected client or an API key.
const page = sql(
  "audit_page",
  `SELECT a.id, a.at, a.actor, a.client, a.request_id AS "requestId", a.action, a.subject, a.detail,
     coalesce(nullif(u.name, ''), u.email, k.name, g.client_name || ' (' || coalesce(nullif(gu.name, ''), gu.email, 'former user') || ')') AS "actorName"
   FROM audit_log a
   LEFT JOIN users u ON u.id = CASE WHEN a.actor LIKE 'user:%' THEN substr(a.actor, 6)::uuid END
   LEFT JOIN api_keys k ON k.workspace_id = a.workspace_id AND k.id = CASE WHEN a.actor LIKE 'api_key:%' THEN substr(a.actor, 9)::uuid WHEN a.actor LIKE 'mcp:%' THEN substr(a.actor, 5)::uuid END
   LEFT JOIN oauth_grants g ON g.workspace_id = a.workspace_id AND g.id = CASE WHEN a.actor LIKE 'mcp:%' THEN substr(a.actor, 5)::uuid END
   LEFT JOIN users gu ON gu.id = g.user_id
   WHERE a.workspace_id = $workspace AND ($2::timestamptz IS NULL OR (a.at, a.id) < ($2, $3::uuid))
   ORDER BY a.at DESC, a.id DESC LIMIT $1`,
);

/** Entries older than `after`, newest first. */
export const findEntries = (db: Db, limit: number, after: { at: string; id: string } | null): Promise<EntryRow[]> =>
  db.query<EntryRow>(page, [limit, after?.at ?? null, after?.id ?? null]);
