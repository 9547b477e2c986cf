import { chmodSync } from "node:fs";
import { everyWorkspace, operatorOf } from "#lib/auth/operator.ts";
import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { mend } from "#lib/db/examination.ts";
import type { DatabaseObject } from "#lib/db/objects.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { findFailed, retryJob } from "#lib/domain/integrations/jobs/service.ts";
import { backUp } from "#lib/domain/workspace/backups/service.ts";
import type { Boot } from "#lib/settings/boot.ts";
import { isWorthRepeating } from "../rules/database.ts";
import { buildOf, mendingOf } from "../rules/schema.ts";
import type { Leftover } from "./leftovers.ts";
import { inDatabase, withPool } from "./open.ts";

/** What `--fix` does about one finding, as a sentence, and does it. Certain things only, each safe to do again. */
export type Repair = { says: string; run(env: Boot["env"], operator: string): Promise<void> };

export type Repaired = { says: string; error: string | null };

const inSql = (says: string, statement: string): Repair => ({
  says,
  run: (env) => inDatabase(env, ({ directUrl }) => mend(directUrl, statement)),
});

export const ofMissing = (index: DatabaseObject): Repair =>
  inSql(`Build the index ${index.name}, which is missing.`, buildOf(index));

export const ofBroken = (name: string): Repair => {
  const statement = mendingOf(name);
  return inSql(
    statement.startsWith("DROP")
      ? `Drop the index ${name}, which a build left that did not end.`
      : `Build the index ${name} again.`,
    statement,
  );
};

export const ofLeftover = ({ path, remove }: Leftover): Repair => ({
  says: `Remove ${path}, which no process uses.`,
  run: remove,
});

export const ofMode = (file: string): Repair => ({
  says: `Take ${file} away from other users (chmod 600).`,
  run: async () => chmodSync(file, 0o600),
});

export const ofBackup = (place: string): Repair => ({
  says: `Make a backup in ${place}.`,
  run: async (env, operator) => {
    await backUp(env, place, operator);
  },
});

export const ofFailedJobs = (count: number): Repair => ({
  says: count === 1 ? "Run the job again that was given up." : `Run the ${count} jobs again that were given up.`,
  run: (env, operator) =>
    inDatabase(env, ({ url }) =>
      withPool(env, url, async () => {
        for (const id of await everyWorkspace()) {
          const caller = await operatorOf(id, operator);
          const failed = await withWorkspace(id, (db) => findFailed({ db }), { readOnly: true });
          for (const { id: job, kind } of failed) if (isWorthRepeating(kind)) await retry(caller, job);
        }
      }),
    ),
});

/** One that the app took meanwhile, or that someone ran again, is no failure. */
async function retry(caller: Caller, job: string): Promise<void> {
  try {
    await retryJob.execute(caller, { job });
  } catch (error) {
    if (!isFault(error) || error.code !== "job_not_found") throw error;
  }
}

/** Does them one after the other. One that does not work stops none of the others. */
export async function repair(env: Boot["env"], repairs: readonly Repair[], operator: string): Promise<Repaired[]> {
  const repaired: Repaired[] = [];
  for (const { says, run } of repairs) {
    const error = await run(env, operator).then(
      () => null,
      (reason: unknown) => (reason as Error).message,
    );
    repaired.push({ says, error });
  }
  return repaired;
}
