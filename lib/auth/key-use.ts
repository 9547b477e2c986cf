import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { stampKeyUse } from "./queries.ts";

type Use = { workspaceId: WorkspaceId; at: Date; client: string | null; written: number };

const uses = singleton("key-uses", () => new Map<string, Use>());
const INTERVAL_MS = 60_000;
const MAX_KEPT = 50_000;

/** Remembers that a key was used. Written at most once a minute a key, off the request path. */
export function noteKeyUse(workspaceId: WorkspaceId, keyId: string, client: string | null): void {
  const known = uses.get(keyId);
  if (known) {
    known.at = new Date();
    known.client = client ?? known.client;
    return;
  }
  if (uses.size < MAX_KEPT) uses.set(keyId, { workspaceId, at: new Date(), client, written: 0 });
}

/** Writes every use not written yet. A failing write is kept for the next round. */
export async function writeKeyUses(): Promise<void> {
  for (const [keyId, use] of uses) {
    if (use.at.getTime() <= use.written) {
      uses.delete(keyId);
      continue;
    }
    const { at, client } = use;
    await withWorkspace(use.workspaceId, (db) => stampKeyUse(db, keyId, at, client));
    use.written = at.getTime();
  }
}

/** Writes key uses every minute until the returned function is called, which writes the rest. */
export function startKeyUses(report: (error: unknown) => void): () => Promise<void> {
  const timer = setInterval(() => void writeKeyUses().catch(report), INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await writeKeyUses().catch(report);
  };
}
