import { everyWorkspace, operatorOf } from "#lib/auth/operator.ts";
import { countRows } from "#lib/db/backup/counts.ts";
import { type Counts, type Manifest, PROOF, type Proof, readManifest } from "#lib/db/backup/manifest.ts";
import { restoreBackup } from "#lib/db/backup/restore.ts";
import { lookAtBackups } from "#lib/db/backup/status.ts";
import { type Backup, writeText } from "#lib/db/backup/storage.ts";
import { startEmbedded } from "#lib/db/embedded/embedded.ts";
import { migrate } from "#lib/db/migrate.ts";
import { closePool } from "#lib/db/pool.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { migrateQueue } from "#lib/jobs/schema.ts";
import { type Boot, runShutdown, setBoot } from "#lib/settings/boot.ts";
import { loadSecrets } from "#lib/settings/secrets.ts";
import { closeTrial, keepTrial, openTrial } from "./trial.ts";

/** Records that are derived again; whole workspaces in random order, until they have so many. */
const SAMPLE = 5_000;

/** Data folders of this process that are in use, and whether a signal has ended their use. */
const trials = new Set<string>();
let abandoned = false;

/** Whether a proof of this process was ended by a signal. */
export const wasAbandoned = (): boolean => abandoned;

/**
 * Proves that a backup can be restored: into a temporary folder, started, migrated, counted, and a sample of its
 * records derived again from their evidence. The result is written beside the backup, also when it cannot be restored.
 * `operator`: the name of the person who asks. For a process of its own: it opens the restored database as the app's.
 */
export async function verifyBackup(settings: Boot["env"], backup: Backup, operator: string): Promise<Proof> {
  const began = Date.now();
  const manifest = await readManifest(backup);
  const dataDir = await openTrial(settings.RAPPORT_DATA_DIR, manifest.database.unpacked);
  trials.add(dataDir);
  const stopKeeping = keepTrial(dataDir);
  const keep = async (result: Omit<Proof, "verified_at" | "seconds">): Promise<Proof> => {
    const proof = { verified_at: new Date().toISOString(), seconds: (Date.now() - began) / 1000, ...result };
    await writeText(backup.storage, `${backup.name}/${PROOF}`, `${JSON.stringify(proof, null, 2)}\n`);
    await lookAtBackups(settings, null);
    return proof;
  };
  try {
    await restoreBackup(backup, dataDir);
    const server = await startEmbedded({ dataDir, durable: false, log: () => undefined });
    const counts = await countRows(server.superuserUrl);
    const derived = await deriveSample(settings, server.url, dataDir, operator);
    await server.stop();
    return await keep({ counts, ...derived, wrong: wrongIn(manifest, counts, derived.different) });
  } catch (error) {
    const wrong = [`It cannot be restored: ${(error as Error).message}`];
    if (!abandoned) await keep({ counts: {}, entities: 0, different: 0, wrong });
    throw error;
  } finally {
    stopKeeping();
    await closeTrial(dataDir);
    trials.delete(dataDir);
  }
}

/** Stops what `verifyBackup` has begun in this process, without a result: for its end by a signal. */
export async function abandonProofs(): Promise<void> {
  abandoned = true;
  for (const folder of trials) await closeTrial(folder);
}

/** The app worked on while the backup was made, so a count lies between those before and after it. */
function wrongIn({ counts: { before, after } }: Manifest, counts: Counts, different: number): string[] {
  const lost = Object.keys({ ...before, ...after }).flatMap((name) => {
    const [count, ...ends] = [counts[name] ?? 0, before[name] ?? 0, after[name] ?? 0] as const;
    const isBetween = count >= Math.min(...ends) && count <= Math.max(...ends);
    return isBetween ? [] : `${name}: ${count} rows, ${ends.join(" to ")} were backed up.`;
  });
  return [...lost, ...(different > 0 ? [`${different} records differ from their evidence.`] : [])];
}

async function deriveSample(
  settings: Boot["env"],
  url: string,
  dataDir: string,
  operator: string,
): Promise<Pick<Proof, "entities" | "different">> {
  const env = { ...settings, RAPPORT_DATA_DIR: dataDir };
  setBoot({ env, databaseUrl: url, secrets: loadSecrets(env) });
  try {
    await migrate({ url, also: migrateQueue });
    const total = { entities: 0, different: 0 };
    const workspaces = (await everyWorkspace()).map((id) => ({ id, at: Math.random() })).sort((a, b) => a.at - b.at);
    for (const { id } of workspaces) {
      const { entities, different } = await rebuildWorkspace(await operatorOf(id, operator), {
        most: SAMPLE - total.entities,
      });
      total.entities += entities;
      total.different += different;
      if (total.entities >= SAMPLE) break;
    }
    return total;
  } finally {
    await runShutdown();
    await closePool();
  }
}
