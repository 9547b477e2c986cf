import { OperatorError } from "#lib/settings/operator-error.ts";

/** Why a Postgres program failed, from what it wrote. */
export type Failure = "port taken" | "memory in use" | "already running" | "other";

export function kindOfFailure(output: string): Failure {
  if (/could not bind|could not create any TCP\/IP sockets/i.test(output)) return "port taken";
  if (/pre-existing shared memory block|is still in use/i.test(output)) return "memory in use";
  if (/lock file "[^"]*postmaster\.pid" already exists/i.test(output)) return "already running";
  return "other";
}

const causes: [RegExp, (place: string) => string][] = [
  [
    /No space left on device|could not extend file|could not resize shared memory/i,
    (place) => `The disk that holds ${place} is full.`,
  ],
  [/Disk quota exceeded/i, (place) => `The disk quota for ${place} is used up.`],
  [/Read-only file system/i, (place) => `The file system that holds ${place} is read-only.`],
  [
    /data directory ".*" has (wrong ownership|invalid permissions)/i,
    (place) =>
      `The database in ${place} belongs to another user: start Rapport as that user, or give the folder to this one (chown -R).`,
  ],
  [
    /could not locate a valid checkpoint|database files are incompatible|incorrect checksum in control file|invalid primary checkpoint|could not find the database system|invalid page in block|could not (open|read) file ".*(pg_control|global|pg_filenode)/i,
    (place) => `The database in ${place} is damaged: restore the folder from a backup, or move it away to begin again.`,
  ],
  [
    /could not create shared memory|Cannot allocate memory|out of memory/i,
    () => "Postgres does not get the memory it needs (about 400 MB).",
  ],
  [/Permission denied/i, (place) => `Postgres may not read or write ${place}: check the owner and mode of the folder.`],
];

/** One line for the operator about a Postgres program that failed at `place`. */
export function explainFailure(output: string, place: string, log: string): OperatorError {
  const cause = causes.find(([pattern]) => pattern.test(output))?.[1](place);
  if (cause) return new OperatorError(cause);
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const last = lines.findLast((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines.at(-1) ?? "it said nothing";
  return new OperatorError(
    `The embedded Postgres does not start: ${last.replace(/^.*?(FATAL|PANIC|ERROR|error): */, "")} (log: ${log})`,
  );
}
