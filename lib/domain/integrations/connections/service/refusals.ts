import { setTimeout as sleep } from "node:timers/promises";
import { inBackground } from "#lib/auth/background.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Provider } from "../contract.ts";
import { addRefusals, endStanding, findRefusals, type RefusalRow } from "../queries.ts";
import { refusalWords } from "../rules.ts";
import { tellChanged } from "./changed.ts";

/** While requests keep being turned away for one reason, they are written to the database at most this often. */
const GATHER_MS = 1_000;

/** How many were turned away, and how many of them since the last verified delivery. */
type RefusalCount = { count: number; standing: number };

/** What was turned away since the last write, by reason, for each workspace and provider. */
const gathering = singleton("inbound-refusals", () => new Map<string, Map<string, RefusalCount>>());

const nameOf = (workspaceId: string, provider: string): string => `${workspaceId} ${provider}`;

/**
 * Counts a request that was turned away. The first is in the database when this returns; those that follow within the
 * second are written together, so forged requests cost one write per second and reason, however many there are.
 */
export async function countRefusal(workspaceId: WorkspaceId, provider: Provider, code: string): Promise<void> {
  const name = nameOf(workspaceId, provider);
  const reasons = gathering.get(name) ?? new Map<string, RefusalCount>();
  gathering.set(name, reasons);
  const gathered = reasons.get(code);
  if (gathered) {
    gathered.count++;
    gathered.standing++;
    return;
  }
  const write = (counted: RefusalCount) =>
    withWorkspace(workspaceId, async (db) => {
      await addRefusals(db, provider, code, counted);
      tellChanged({ db, workspaceId });
    });
  const begin = () => reasons.set(code, { count: 0, standing: 0 });
  const end = () => {
    reasons.delete(code);
    if (reasons.size === 0 && gathering.get(name) === reasons) gathering.delete(name);
  };
  begin();
  await write({ count: 1, standing: 1 }).catch((error: unknown) => {
    end();
    throw error;
  });
  inBackground("counting requests that were turned away", async () => {
    try {
      for (;;) {
        await sleep(GATHER_MS);
        const counted = reasons.get(code);
        if (!counted?.count) return;
        begin();
        await write(counted);
      }
    } finally {
      end();
    }
  });
}

type Scope = { db: Db; workspaceId: WorkspaceId };

/** What was turned away, for which reason and what to do about it, the latest first. */
export const listRefusals = async ({ db }: { db: Db }): Promise<(RefusalRow & ReturnType<typeof refusalWords>)[]> =>
  (await findRefusals(db)).map((row) => ({ ...row, ...refusalWords(row.provider, row.code) }));

/** The provider delivers correctly, or was set up again: clears what was turned away before. */
export function forgiveRefusals({ db, workspaceId }: Scope, provider: string): void {
  for (const counted of gathering.get(nameOf(workspaceId, provider))?.values() ?? []) counted.standing = 0;
  endStanding(db, provider);
}
