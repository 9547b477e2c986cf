import { inBackground } from "#lib/auth/background.ts";
import { liveSession } from "#lib/auth/sessions.ts";
import { Fault } from "#lib/core/errors.ts";
import { isUuid, newId } from "#lib/core/ids.ts";
import { decodeCursor, encodeCursor } from "#lib/core/paging.ts";
import { formatTime, parseTime } from "#lib/core/time.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import * as contract from "./contract.ts";
import { type EntryRow, findEntries, insertEntry } from "./queries.ts";

export const listAudit = implement(contract.listAudit, async ({ db }, { limit, cursor }) => {
  const rows = await findEntries(db, limit + 1, cursor === undefined ? null : positionOf(cursor));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    entries: shown.map(entryOfRow),
    next_cursor: last ? encodeCursor([formatTime(last.at), last.id]) : null,
  };
});

/**
 * Notes in the running transaction who did what to the workspace itself. `action` is `<noun>.<what happened>`, `subject`
 * the id of what it happened to; `detail` holds names and values a reader needs, never a secret.
 */
export const recordAudit = (
  ctx: Pick<Ctx, "db" | "actor" | "client" | "requestId">,
  action: string,
  subject: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const { db, actor, client, requestId } = ctx;
  return insertEntry(db, { actor: `${actor.type}:${actor.id}`, client, requestId, action, subject, detail });
};

/** Notes a sign-in in the audit log of every workspace the person belongs to. Nobody waits for it. */
export function noteSignIn(userId: string, sessionId: string, how: string): void {
  inBackground("noting a sign-in", async () => {
    const session = await liveSession(sessionId, userId);
    const requestId = newId();
    for (const { workspaceId } of session?.memberships ?? []) {
      const detail = { email: session?.email, with: how === "credentials" ? "password" : how };
      await withWorkspace(workspaceId, (db) =>
        recordAudit(
          { db, actor: { type: "user", id: userId }, client: null, requestId },
          "user.signed_in",
          userId,
          detail,
        ),
      );
    }
  });
}

function positionOf(cursor: string): { at: string; id: string } {
  const [at, id] = decodeCursor(cursor, 2);
  if (typeof at === "string" && typeof id === "string" && parseTime(at) && isUuid(id)) return { at, id };
  throw new Fault("invalid_parameter", { parameter: "cursor" }, "cursor is not one this endpoint returned.");
}

function entryOfRow(row: EntryRow): contract.AuditEntry {
  const colon = row.actor.indexOf(":");
  return {
    id: row.id,
    at: formatTime(row.at),
    actor: {
      type: row.actor.slice(0, colon) as contract.AuditEntry["actor"]["type"],
      id: row.actor.slice(colon + 1),
      name: row.actorName,
    },
    client: row.client,
    request_id: row.requestId,
    action: row.action,
    subject: row.subject,
    detail: { ...row.detail },
  };
}
