import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { stampGrantUse } from "./queries/access-tokens.ts";
import { stampKeyUse } from "./queries/api-keys.ts";

/**
 * `written` is the latest use in the database, `wroteAt` when it was written; both in milliseconds, 0 before the first.
 */
type Use = {
  workspaceId: WorkspaceId;
  kind: "key" | "grant";
  at: Date;
  client: string | null;
  written: number;
  wroteAt: number;
};
/** By the id of the key, or of the grant that an access token belongs to. */
type Uses = { byKey: Map<string, Use>; report: ((error: unknown) => void) | null; writing: Promise<void> | null };

const uses = singleton<Uses>("key-uses", () => ({ byKey: new Map(), report: null, writing: null }));
const INTERVAL_MS = 60_000;
const LOOK_EVERY_MS = 15_000;
const MAX_KEPT = 50_000;

/**
 * Remembers that a key was used. The first use is written at once, so that other instances see it; later ones at most
 * once a minute a key. Requests never wait for it.
 */
export const noteKeyUse = (workspaceId: WorkspaceId, keyId: string, client: string | null): void =>
  note({ workspaceId, kind: "key", client }, keyId);

/** The same of a grant whose access token was used. */
export const noteGrantUse = (workspaceId: WorkspaceId, grantId: string): void =>
  note({ workspaceId, kind: "grant", client: null }, grantId);

function note({ workspaceId, kind, client }: Pick<Use, "workspaceId" | "kind" | "client">, keyId: string): void {
  const use = uses.byKey.get(keyId);
  if (use) {
    use.at = new Date();
    use.client = client ?? use.client;
    return;
  }
  if (uses.byKey.size >= MAX_KEPT) return;
  uses.byKey.set(keyId, { workspaceId, kind, at: new Date(), client, written: 0, wroteAt: 0 });
  // A running round also writes the new entry.
  if (uses.report && !uses.writing) writeKeyUses().catch(uses.report);
}

/** The latest use this process saw and may not have written yet. */
export const lastUseOf = (keyId: string): { at: Date; client: string | null } | null => uses.byKey.get(keyId) ?? null;

/**
 * Writes the uses that are due, or all. One round at a time, on one connection; a failed write is kept for the next.
 */
export async function writeKeyUses(all = false): Promise<void> {
  while (uses.writing) await uses.writing.catch(() => undefined);
  uses.writing = writeDue(all).finally(() => {
    uses.writing = null;
  });
  return uses.writing;
}

async function writeDue(all: boolean): Promise<void> {
  for (const [keyId, use] of uses.byKey) {
    if (!all && Date.now() - use.wroteAt < INTERVAL_MS) continue;
    if (use.at.getTime() <= use.written) {
      uses.byKey.delete(keyId);
      continue;
    }
    const { at, client } = use;
    await withWorkspace(use.workspaceId, (db) =>
      use.kind === "key" ? stampKeyUse(db, keyId, at, client) : stampGrantUse(db, keyId, at),
    );
    use.written = at.getTime();
    use.wroteAt = Date.now();
  }
}

/** Writes key uses until the returned function is called, which writes the rest. */
export function startKeyUses(report: (error: unknown) => void): () => Promise<void> {
  uses.report = report;
  const timer = setInterval(() => void writeKeyUses().catch(report), LOOK_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    uses.report = null;
    await writeKeyUses(true).catch(report);
  };
}
