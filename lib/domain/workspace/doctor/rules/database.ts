/** What the doctor makes of the database. */
import type { Examination } from "#lib/db/examination.ts";
import { counted, type Finding, failing, fine, warning } from "./finding.ts";

/** `ms`: how far the clock of the database is from this machine's. */
export function ofClock(ms: number): Finding {
  const apart = `The clocks of the app and its database are ${Math.round(Math.abs(ms) / 1000)} s apart.`;
  if (Math.abs(ms) < 5_000) return fine("clock", "The clocks of the app and its database agree.");
  const mend = "Let both machines take the time from a time server (chrony or systemd-timesyncd).";
  return Math.abs(ms) < 60_000 ? warning("clock", apart, mend) : failing("clock", apart, mend);
}

/** `version`: as `server_version_num` says it, such as 180004. */
export function ofVersion(version: number): Finding {
  const major = Math.floor(version / 10_000);
  return major < 15
    ? failing("database version", `Postgres ${major} is too old.`, "Move the database to Postgres 15 or newer.")
    : fine("database version", `Postgres ${major}.${version % 10_000}.`);
}

/** Settings that decide whether an acknowledged write survives a crash. */
export const DURABLE = ["fsync", "full_page_writes", "synchronous_commit"] as const;

export function ofSettings(settings: Readonly<Record<string, string>>): Finding {
  const off = DURABLE.filter((name) => settings[name] === "off");
  return off.length > 0
    ? failing(
        "database settings",
        `${off.join(", ")} ${off.length === 1 ? "is" : "are"} off: what was acknowledged can be lost in a crash.`,
        "Turn on what is off in postgresql.conf, and restart the database.",
      )
    : fine("database settings", "A write that was acknowledged survives a crash.");
}

/** Names of migrations that the database lacks, and of such that this release does not know. */
export function ofMigrations(missing: readonly string[], foreign: readonly string[]): Finding {
  if (foreign.length > 0)
    return failing(
      "migrations",
      `A newer release has migrated the database (${foreign[0]}).`,
      "Start that release, or restore a backup that was made before it.",
    );
  if (missing.length > 0)
    return warning(
      "migrations",
      `${counted(missing.length, "migration waits", "migrations wait")}, the first is ${missing[0]}.`,
      "Make a backup (rapport admin backup <folder>), then start Rapport: it migrates.",
    );
  return fine("migrations", "The database is as this release needs it.");
}

/**
 * Slices whose records say that their work failed when its job is given up, with the page where a person goes on. Run again, such a
 * job finds nothing to do.
 */
export const pagesOfEnded: Readonly<Record<string, string>> = {
  "bulk-actions": "the list that was changed",
  exports: "Settings › Export",
  imports: "Imports",
};

const pageOf = (kind: string): string | undefined => pagesOfEnded[kind.slice(0, kind.indexOf(":"))];

export const isWorthRepeating = (kind: string): boolean => pageOf(kind) === undefined;

const sum = (failed: Examination["jobs"]["failed"]): number => failed.reduce((total, { jobs }) => total + jobs, 0);

/** How many of the jobs that were given up do something when they run again. */
export const countRepeatable = (failed: Examination["jobs"]["failed"]): number =>
  sum(failed.filter(({ kind }) => isWorthRepeating(kind)));

/** Where people go on with the others, with how many there are. */
function pagesIn(failed: Examination["jobs"]["failed"]): string[] {
  const pages = new Map<string, number>();
  for (const { kind, jobs } of failed) {
    const page = pageOf(kind);
    if (page !== undefined) pages.set(page, (pages.get(page) ?? 0) + jobs);
  }
  return [...pages].map(([page, jobs]) => `${page} (${jobs})`);
}

export function ofJobs({ longest, failed }: Examination["jobs"]): Finding {
  if (longest > 10 * 60_000)
    return failing(
      "jobs",
      `A job waits for ${Math.floor(longest / 60_000)} minutes. Imports, triggers and syncs do not run.`,
      "Start the app, or `rapport worker` where WORKER=separate; see its log.",
    );
  if (failed.length === 0) return fine("jobs", "No job waits.");
  const pages = pagesIn(failed);
  return warning(
    "jobs",
    `${counted(sum(failed), "job was", "jobs were")} given up.`,
    [
      ...(countRepeatable(failed) > 0
        ? ["Settings › Jobs says why, and runs them again; rapport doctor --fix runs all again."]
        : []),
      ...(pages.length > 0
        ? [
            `A person goes on with the work itself: ${pages.join(", ")}. Its job does nothing more, and is deleted after 30 days.`,
          ]
        : []),
    ].join(" "),
  );
}
