/** What the doctor makes of backups. */

import type { Protection } from "#lib/db/examination.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { counted, type Finding, failing, fine, warning } from "./finding.ts";

const days = (ms: number): string => counted(Math.floor(ms / DAY_MS), "day", "days");

/** The newest backup of a folder: when it was made and last restored for a proof, and what was wrong then. */
export type LastBackup = { madeAt: Date; verifiedAt: Date | null; wrong: readonly string[] };

const WARNS_MS = 2 * DAY_MS;
const FAILS_MS = 7 * DAY_MS;

/** Whether a new backup mends what is wrong: there is none, or the newest is old or not whole. */
export const needsBackup = (last: LastBackup | null, now: Date): boolean =>
  last === null || last.wrong.length > 0 || now.getTime() - last.madeAt.getTime() > WARNS_MS;

/** `problem`: why the server's own last backup or proof did not work. */
export function ofBackups(
  folder: string | undefined,
  last: LastBackup | null,
  now: Date,
  problem: string | null = null,
): Finding {
  const make = `rapport admin backup ${folder ?? "<folder>"}`;
  if (folder === undefined)
    return warning(
      "backups",
      "The doctor does not know where your backups are.",
      `${make}, then: rapport doctor --backups <folder>`,
    );
  if (problem !== null) return failing("backups", `The last backup by the server did not work: ${problem}`, make);
  if (last === null) return failing("backups", `There is no backup in ${folder}.`, make);
  const age = now.getTime() - last.madeAt.getTime();
  if (last.wrong.length > 0) return failing("backups", `The newest backup is not whole: ${last.wrong.join(" ")}`, make);
  if (age > FAILS_MS) return failing("backups", `The newest backup is ${days(age)} old.`, make);
  if (age > WARNS_MS) return warning("backups", `The newest backup is ${days(age)} old.`, make);
  return last.verifiedAt === null
    ? warning("backups", "The newest backup was never restored.", "rapport admin backup verify <backup>")
    : fine("backups", `The newest backup is ${days(age)} old and was restored for a proof.`);
}

export function ofProtection({ archives, archiveFails, replicas }: Protection): Finding {
  if (archives && archiveFails)
    return failing(
      "backups",
      "The database cannot archive its log: the last segment failed.",
      "See archive_command and the log of Postgres. Its disk fills until this works.",
    );
  if (archives) return fine("backups", "The database archives its log.");
  return warning(
    "backups",
    replicas > 0
      ? "The database has a replica and no archive: what is deleted by mistake is deleted on both."
      : "The database does not archive its log, so the doctor cannot see that anything backs it up.",
    "Use your provider's backups, or pgBackRest, and restore one now and then.",
  );
}
