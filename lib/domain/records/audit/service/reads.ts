import { inBackground } from "#lib/auth/background.ts";
import { nameOfActor } from "#lib/core/context.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { NewEntry } from "../queries/entries.ts";
import type { AuditAction } from "../words.ts";
import { type Acting, entryOf, keepEntries } from "./entries.ts";

type Reads = {
  /** when this process noted a read, by who read what */
  noted: Map<string, number>;
  /** what is not written yet, of each workspace for which someone writes */
  waiting: Map<WorkspaceId, { place: string; entry: NewEntry }[]>;
};
const reads = singleton<Reads>("audit-reads", () => ({ noted: new Map(), waiting: new Map() }));

/** A read is noted again after so long. */
const AGAIN_MS = DAY_MS;
/** Written by one statement. */
const AT_ONCE = 200;
/** So many are remembered; then all are forgotten, and noted once more. */
const MOST_REMEMBERED = 50_000;

/**
 * Notes that a caller read something of someone else's, once a day for each caller and subject. No request waits for it: what gathers
 * while one statement is under way is written with the next. What could not be written is noted with the next read.
 */
export function noteRead(
  acting: Acting,
  action: Extract<AuditAction, `${string}.read`>,
  subject: string,
  detail: NewEntry["detail"] = {},
): void {
  const { workspaceId } = acting;
  const place = `${workspaceId} ${nameOfActor(acting)} ${subject}`;
  const now = Date.now();
  if (now - (reads.noted.get(place) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
  if (reads.noted.size >= MOST_REMEMBERED) reads.noted.clear();
  reads.noted.set(place, now);
  const read = { place, entry: entryOf(acting, action, subject, detail) };
  const waiting = reads.waiting.get(workspaceId);
  if (waiting) waiting.push(read);
  else {
    reads.waiting.set(workspaceId, [read]);
    inBackground("noting who read what", () => writeReads(workspaceId));
  }
}

async function writeReads(workspaceId: WorkspaceId): Promise<void> {
  for (;;) {
    const taken = reads.waiting.get(workspaceId)?.splice(0, AT_ONCE) ?? [];
    if (taken.length === 0) break;
    try {
      const entries = taken.map(({ entry }) => entry);
      await withWorkspace(workspaceId, (db) => keepEntries({ db, workspaceId }, entries));
    } catch (error) {
      const lost = [...taken, ...(reads.waiting.get(workspaceId) ?? [])];
      for (const { place } of lost) reads.noted.delete(place);
      reads.waiting.delete(workspaceId);
      throw error;
    }
  }
  reads.waiting.delete(workspaceId);
}
