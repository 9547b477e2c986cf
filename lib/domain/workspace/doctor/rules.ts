/** What the doctor makes of what it measured. Each rule looks at one thing and says what it means and what mends it. */
import type { Disk } from "#lib/db/disk-space.ts";
import type { Examination, Protection } from "#lib/db/examination.ts";
import type { CheckState } from "#lib/domain/workspace/checks/contract.ts";

/** One thing that was looked at. `mend`: what to do, with the command where there is one; none when it is fine. */
export type Finding = { check: string; state: CheckState; says: string; mend?: string };

export const fine = (check: string, says: string): Finding => ({ check, state: "fine", says });
export const warning = (check: string, says: string, mend: string): Finding => ({
  check,
  state: "warning",
  says,
  mend,
});
const failing = (check: string, says: string, mend: string): Finding => ({ check, state: "failing", says, mend });

const DAY_MS = 86_400_000;
const GB = 1e9;

const size = (bytes: number): string => `${(bytes / GB).toLocaleString("en", { maximumFractionDigits: 1 })} GB`;
const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
const days = (ms: number): string => counted(Math.floor(ms / DAY_MS), "day", "days");

export function ofDisk(folder: string, { free, total, freeFiles, files }: Disk): Finding {
  if (total === 0) return fine("disk", `The file system of ${folder} does not say how much space it has.`);
  const mend = `Make room on the disk that holds ${folder}, or move the folder to a larger one.`;
  if (files > 0 && freeFiles < files * 0.01)
    return failing("disk", `The disk has room for only ${counted(freeFiles, "more file", "more files")}.`, mend);
  if (free < 0.5 * GB) return failing("disk", `The disk has ${size(free)} left. Writes stop when it is full.`, mend);
  if (free < 10 * GB && free < total * 0.1)
    return warning("disk", `The disk has ${size(free)} of ${size(total)} left.`, mend);
  return fine("disk", `${size(free)} of ${size(total)} are free.`);
}

export function ofMemory(bytes: number): Finding {
  return bytes < 0.9 * GB
    ? warning("memory", `The app may use ${size(bytes)}.`, "Give it 1 GB or more: imports and the page build need it.")
    : fine("memory", `The app may use ${size(bytes)}.`);
}

/** `mode`: the permissions of secrets.json; null when there is no such file, undefined where permissions say nothing. */
export function ofSecrets(file: string, mode: number | null | undefined): Finding {
  if (mode === null)
    return warning(
      "secrets",
      `There is no ${file} yet. It is made at the first start.`,
      "Put the file of the installation there if you restored a backup; else start Rapport.",
    );
  if (mode !== undefined && (mode & 0o077) !== 0)
    return failing("secrets", `Other users of this machine may read ${file}.`, `chmod 600 ${file}`);
  return fine("secrets", `Only its owner reads ${file}.`);
}

export const isLocal = (host: string): boolean => /^(localhost|127\.|\[?::1)/.test(host);

export function ofAddress({ APP_URL, HOST }: { APP_URL?: string | undefined; HOST: string }): Finding {
  if (APP_URL === undefined)
    return isLocal(HOST)
      ? fine("address", "Only this machine reaches the app.")
      : warning(
          "address",
          "APP_URL is not set, so mails, invitations and agents get no link that works elsewhere.",
          "Set APP_URL to the address that people open, such as https://rapport.example.com.",
        );
  const { protocol, hostname } = new URL(APP_URL);
  if (protocol === "http:" && !isLocal(hostname))
    return failing(
      "address",
      `${APP_URL} is not encrypted: passwords and keys can be read on their way.`,
      "Put a proxy with a certificate in front of the app and set APP_URL to its https:// address.",
    );
  return fine("address", `People open ${APP_URL}.`);
}

/** What `APP_URL`/readyz answered: a status, or why there was no answer. */
export type ReachAnswer = { status: number } | { error: string };

export function ofReach(url: string, reached: ReachAnswer): Finding {
  if ("error" in reached)
    return failing(
      "reachable",
      `${url} does not answer from this machine: ${reached.error}.`,
      "Is the app running? Check the name, the certificate and the proxy.",
    );
  return reached.status === 200
    ? fine("reachable", `${url} answers.`)
    : failing(
        "reachable",
        `${url}/readyz answers ${reached.status}.`,
        "See the log of the app and of the proxy: the proxy may lead to another server, or the app is not ready.",
      );
}

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

/** Names of indexes that a broken build left, which no query uses. */
export const ofIndexes = (broken: readonly string[]): Finding =>
  broken.length > 0
    ? failing(
        "indexes",
        `${counted(broken.length, "index is", "indexes are")} not usable: ${broken.join(", ")}.`,
        `REINDEX INDEX "${broken[0]}"; in psql, and so for each.`,
      )
    : fine("indexes", "Every index can be used.");

export function ofJobs({ longest, failed }: Examination["jobs"]): Finding {
  if (longest > 10 * 60_000)
    return failing(
      "jobs",
      `A job waits for ${Math.floor(longest / 60_000)} minutes. Imports, triggers and syncs stand still.`,
      "Start the app, or `rapport worker` where WORKER=separate; see its log.",
    );
  return failed > 0
    ? warning(
        "jobs",
        `${counted(failed, "job was", "jobs were")} given up.`,
        "Settings › Jobs says why, and runs them again.",
      )
    : fine("jobs", "No job waits.");
}

/** What stopped in a workspace, or will. */
export type StoppedParts = {
  workspace: string;
  triggers: number;
  connections: number;
  keys: number;
  /** how often the next block of the audit log was sent and not taken */
  pushTries: number;
};

const named = (stopped: readonly StoppedParts[], what: keyof Omit<StoppedParts, "workspace">): string => {
  const affected = stopped.filter((each) => each[what] > 0).map((each) => `${each.workspace} (${each[what]})`);
  const more = affected.length - 5;
  return `${affected.slice(0, 5).join(", ")}${more > 0 ? ` and ${more} more workspaces` : ""}`;
};
const sum = (stopped: readonly StoppedParts[], what: keyof Omit<StoppedParts, "workspace">): number =>
  stopped.reduce((total, each) => total + each[what], 0);

export function ofWorkspaces(stopped: readonly StoppedParts[]): Finding[] {
  const [triggers, connections, keys] = [sum(stopped, "triggers"), sum(stopped, "connections"), sum(stopped, "keys")];
  return [
    triggers > 0
      ? warning(
          "triggers",
          `${counted(triggers, "trigger was", "triggers were")} stopped because the target failed: ${named(stopped, "triggers")}.`,
          "Mend the target, then resume the trigger on its page. Events wait until then.",
        )
      : fine("triggers", "No trigger was stopped."),
    connections > 0
      ? warning(
          "integrations",
          `${counted(connections, "integration needs", "integrations need")} attention: ${named(stopped, "connections")}.`,
          "The page Integrations of the workspace says what is wrong; a new token mends most.",
        )
      : fine("integrations", "Every integration works."),
    keys > 0
      ? warning(
          "keys",
          `${counted(keys, "API key ends", "API keys end")} within 14 days: ${named(stopped, "keys")}.`,
          "Rotate it on the page API keys; the old one works on for the overlap you choose.",
        )
      : fine("keys", "No API key ends within 14 days."),
  ];
}

/** `isSet`: AUDIT_PUSH_URL. */
export function ofAuditPush(isSet: boolean, stopped: readonly StoppedParts[]): Finding {
  if (!isSet) return fine("audit log", "It stays in the database; AUDIT_PUSH_URL would send it on.");
  return sum(stopped, "pushTries") > 0
    ? failing(
        "audit log",
        `The target of AUDIT_PUSH_URL did not take the audit log, tries by workspace: ${named(stopped, "pushTries")}.`,
        "The log of the app says why. Mend the target: what waits is sent in order.",
      )
    : fine("audit log", "The target of AUDIT_PUSH_URL takes it.");
}

/** The newest backup of a folder: when it was made and last restored for a proof, and what was wrong then. */
export type LastBackup = { madeAt: Date; verifiedAt: Date | null; wrong: readonly string[] };

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
  if (age > 7 * DAY_MS) return failing("backups", `The newest backup is ${days(age)} old.`, make);
  if (age > 2 * DAY_MS) return warning("backups", `The newest backup is ${days(age)} old.`, make);
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

/** Whether a mail server is set, and how a mail to an address went that the operator named; null when none was asked for. */
export function ofMail(isSet: boolean, sent: { to: string; error: string | null } | null): Finding {
  if (!isSet)
    return warning(
      "mail",
      "SMTP_URL is not set: invitations and new passwords have to be passed on by hand.",
      "Set SMTP_URL and APP_URL, then: rapport doctor --mail you@example.com",
    );
  if (sent === null) return fine("mail", "A mail server is set. `--mail you@example.com` tries it.");
  return sent.error === null
    ? fine("mail", `A mail to ${sent.to} was accepted.`)
    : failing("mail", `The mail to ${sent.to} was not accepted: ${sent.error}`, "Check SMTP_URL and SMTP_FROM.");
}
