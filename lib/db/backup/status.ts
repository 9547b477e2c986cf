import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Boot } from "#lib/settings/boot.ts";
import { writeAtomically } from "#lib/settings/write-atomically.ts";
import { type BackupState, lastProof, nextProof, stateOf } from "./due.ts";
import { listBackups } from "./manifest.ts";
import { addressOf, openStorage } from "./open-storage.ts";

/** What was seen in `BACKUP_TO` last, in `backups.json` of the data folder: the folder of backups may be slow, or away. */
const Status = z.object({
  folder: z.string(),
  /** when a try that failed is repeated */
  again_at: z.iso.datetime().nullable(),
  /** when a backup is to be proved again */
  prove_at: z.iso.datetime().nullable(),
  /** Why the last backup or proof did not work; null: it did. */
  problem: z.string().nullable(),
  made_at: z.iso.datetime().nullable(),
  /** of the last proof, and what did not hold */
  verified_at: z.iso.datetime().nullable(),
  wrong: z.array(z.string()),
});
export type Status = z.infer<typeof Status>;

type Env = Boot["env"];

const statusFile = ({ RAPPORT_DATA_DIR }: Env) => path.join(RAPPORT_DATA_DIR, "backups.json");

/** Tries that failed are repeated after this time. */
const AGAIN_MS = 15 * 60_000;

/** What was seen last of the present `BACKUP_TO`; null: nothing was. */
export function readStatus(env: Env): Status | null {
  try {
    const status = Status.parse(JSON.parse(readFileSync(statusFile(env), "utf8")));
    return env.BACKUP_TO !== undefined && status.folder === addressOf(env.BACKUP_TO) ? status : null;
  } catch {
    return null; // It is written anew by the next look.
  }
}

/** Looks at the storage of backups and writes down what is there. `problem`: why the work before this look failed. */
export async function lookAtBackups(env: Env, problem: string | null): Promise<void> {
  const { BACKUP_TO, BACKUP_EVERY } = env;
  if (BACKUP_TO === undefined || BACKUP_EVERY === undefined) return;
  const folder = addressOf(BACKUP_TO);
  let status: Status;
  try {
    const backups = await listBackups(openStorage(BACKUP_TO, env));
    const proof = lastProof(backups);
    const proveAt = nextProof(backups);
    status = {
      folder,
      again_at: problem === null ? null : new Date(Date.now() + AGAIN_MS).toISOString(),
      prove_at: proveAt === null ? null : new Date(proveAt).toISOString(),
      problem,
      made_at: backups[0]?.manifest.made_at ?? null,
      verified_at: proof?.verified_at ?? null,
      wrong: proof?.wrong ?? [],
    };
  } catch (error) {
    const last = readStatus(env) ?? { prove_at: null, made_at: null, verified_at: null, wrong: [] };
    status = {
      ...last,
      folder,
      again_at: new Date(Date.now() + AGAIN_MS).toISOString(),
      problem: problem ?? (error as Error).message,
    };
  }
  writeAtomically(statusFile(env), `${JSON.stringify(status, null, 2)}\n`);
}

/** Whether a backup or a proof is due, as far as it is known. */
export function isDue(env: Env, now: number): boolean {
  const { BACKUP_EVERY } = env;
  const status = readStatus(env);
  if (BACKUP_EVERY === undefined) return false;
  if (!status) return true;
  const { again_at, prove_at, made_at } = status;
  const isOver = (time: string | null, ms = 0) => time !== null && Date.parse(time) + ms <= now;
  if (again_at !== null) return isOver(again_at);
  return made_at === null || isOver(made_at, BACKUP_EVERY) || isOver(prove_at);
}

/** How the backups are, for those who watch the server. */
export function backupState(env: Env): { state: BackupState; made_at: string | null; verified_at: string | null } {
  const status = readStatus(env);
  const facts = status && { ...status, madeAt: status.made_at, verifiedAt: status.verified_at };
  return {
    state: stateOf(facts, env.BACKUP_EVERY, Date.now()),
    made_at: status?.made_at ?? null,
    verified_at: status?.verified_at ?? null,
  };
}
