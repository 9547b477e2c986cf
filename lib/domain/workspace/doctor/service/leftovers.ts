import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { abandonedTrials, closeTrial } from "#lib/domain/workspace/backups/service.ts";

/** Drafts of files that are written completely or not at all, which takes far less than a second. */
const DRAFT = /\.[0-9a-f]{12}\.tmp$/;
const OLD_MS = 3_600_000;

/** Something that a killed process left, and what removes it. */
export type Leftover = { path: string; remove(): Promise<void> };

/** What no process uses any more: databases that were restored for a proof, and drafts in the data folder. */
export function findLeftovers(dataDir: string, now = Date.now()): Leftover[] {
  const trials = [...new Set([tmpdir(), dataDir])].flatMap((parent) => abandonedTrials(parent, now));
  const drafts = (existsSync(dataDir) ? readdirSync(dataDir) : [])
    .filter((name) => DRAFT.test(name))
    .map((name) => path.join(dataDir, name))
    .filter((file) => {
      const entry = lstatSync(file, { throwIfNoEntry: false });
      return entry?.isFile() === true && now - entry.mtimeMs > OLD_MS;
    });
  return [
    ...trials.map((folder) => ({ path: folder, remove: () => closeTrial(folder) })),
    ...drafts.map((file) => ({ path: file, remove: async () => rmSync(file, { force: true }) })),
  ];
}
