import { DAY_MS } from "#lib/text/time.ts";
import type { ListedBackup } from "./manifest.ts";

type Backup = Pick<ListedBackup, "proof"> & { manifest: Pick<ListedBackup["manifest"], "made_at"> };

const PROVED_EVERY_MS = 7 * DAY_MS;

/** When the next backup is to be made. `backups`: newest first. */
export const nextBackup = ([newest]: readonly Backup[], everyMs: number): number =>
  newest ? Date.parse(newest.manifest.made_at) + everyMs : 0;

/** The last proof of any backup. */
export function lastProof(backups: readonly Backup[]): ListedBackup["proof"] {
  const proofs = backups.flatMap(({ proof }) => proof ?? []);
  return proofs.sort((a, b) => b.verified_at.localeCompare(a.verified_at))[0] ?? null;
}

/**
 * When the newest backup is to be proved: a week after the last proof, at once when nothing was proved, or when the last
 * proof failed and this is another backup. null: there is nothing to prove.
 */
export function nextProof(backups: readonly Backup[]): number | null {
  const [newest] = backups;
  if (!newest) return null;
  const last = lastProof(backups);
  if (!last || (last.wrong.length > 0 && !newest.proof)) return 0;
  return Date.parse(last.verified_at) + PROVED_EVERY_MS;
}

/** How the backups of an installation are, as far as it is facts. */
export type BackupState = "off" | "fine" | "late" | "failing";

type BackupFacts = {
  problem: string | null;
  madeAt: string | null;
  verifiedAt: string | null;
  wrong: readonly string[];
};

/**
 * `failing`: the last backup or proof did not work, or what was proved is not whole. `late`: two have not been made that should
 * have been, or none was proved for two weeks.
 */
export function stateOf(facts: BackupFacts | null, everyMs: number | undefined, now: number): BackupState {
  if (everyMs === undefined) return "off";
  if (!facts) return "late";
  if (facts.problem !== null || facts.wrong.length > 0) return "failing";
  const isOlder = (time: string | null, ms: number) => time === null || now - Date.parse(time) > ms;
  return isOlder(facts.madeAt, 2 * everyMs) || isOlder(facts.verifiedAt, 2 * PROVED_EVERY_MS) ? "late" : "fine";
}
