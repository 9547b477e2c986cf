import { z } from "zod";
import { inBackground } from "#lib/auth/background.ts";
import { liveSession } from "#lib/auth/sessions.ts";
import { newId } from "#lib/core/ids.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { type EntryRow, findEntries, insertEntry } from "./queries.ts";

export const listAudit = implement(contract.listAudit, async (ctx, { limit, cursor }) => {
  const rows = await findEntries(ctx.db, limit + 1, cursor === undefined ? null : positionOf(ctx, cursor));
  const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ at, id }) => [formatTime(at), id]);
  return { entries: shown.map(entryOfRow), next_cursor: next.next_cursor };
});

/**
 * Records in the running transaction who did what to the workspace itself. `action` is `<noun>.<what happened>`,
 * `subject` the id of what it happened to; `detail` holds names and values a reader needs, never a secret.
 */
export const recordAudit = (
  ctx: Pick<Ctx, "db" | "actor" | "client" | "requestId" | "approvedBy">,
  action: string,
  subject: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const { db, actor, client, requestId, approvedBy } = ctx;
  const approved = approvedBy === undefined ? {} : { approved_by: approvedBy };
  const entry = { actor: `${actor.type}:${actor.id}`, client, requestId, action, subject };
  return insertEntry(db, { ...entry, detail: { ...detail, ...approved } });
};

/** Notes a sign-in in the audit log of every workspace the person belongs to. The sign-in does not wait for it. */
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

const cursors = cursorsOf(contract.listAudit.name, z.tuple([Timestamp, Id]));

function positionOf(ctx: Ctx, cursor: string): { at: string; id: string } {
  const [at, id] = cursors.decode(ctx, cursor);
  return { at, id };
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
