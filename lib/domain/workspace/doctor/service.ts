import { existsSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sendMailBy } from "#lib/auth/mail.ts";
import { listWorkspaces } from "#lib/auth/operator.ts";
import { readStatus } from "#lib/db/backup/status.ts";
import { diskOf } from "#lib/db/disk-space.ts";
import { type OpenDatabase, openDatabase } from "#lib/db/embedded/open.ts";
import { hasState } from "#lib/db/embedded/state.ts";
import { type Examination, examineDatabase, protectionOf } from "#lib/db/examination.ts";
import { closePool } from "#lib/db/pool.ts";
import { readiness } from "#lib/db/readiness.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { sendsPlainly } from "#lib/domain/integrations/triggers/service.ts";
import { countPushTries } from "#lib/domain/records/audit/service.ts";
import { listBackups, openStorage } from "#lib/domain/workspace/backups/service.ts";
import { stoppedIn } from "#lib/domain/workspace/checks/service.ts";
import { type Boot, runShutdown, setBoot } from "#lib/settings/boot.ts";
import { ofEncryption, ofTargets } from "./rules/encryption.ts";
import * as rules from "./rules.ts";

export { worstOf } from "#lib/domain/workspace/checks/words.ts";

/** `backups`: the folder they are kept in, `BACKUP_TO` when unset; `mail`: an address that gets a mail for a try. */
export type DoctorOptions = { backups?: string; mail?: string };

const PATIENCE_MS = 10_000;

/** Nothing that is sealed is read; to load the secrets of an installation that has none would make them. */
const NO_SECRETS = { sessionSecret: "", encryptionKeys: [] };

/**
 * Looks at this installation and says for each part whether it is fine, and what mends it. Changes nothing, and runs whether the app
 * runs or not. A database that does not open is a finding, not an error.
 */
export async function examine(
  env: Boot["env"],
  { backups = env.BACKUP_TO, mail }: DoctorOptions,
): Promise<rules.Finding[]> {
  const { RAPPORT_DATA_DIR: dataDir, APP_URL, DATABASE_URL, SMTP_URL } = env;
  if (DATABASE_URL === undefined && !hasState(dataDir))
    return [
      {
        check: "database",
        state: "failing",
        says: `There is no database in ${dataDir}.`,
        mend: "Set RAPPORT_DATA_DIR to the data folder of the installation, or start Rapport: it makes one.",
      },
    ];
  const here = [
    rules.ofDisk(dataDir, await diskOf(dataDir)),
    rules.ofMemory(Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)),
    rules.ofSecrets(path.join(dataDir, "secrets.json"), modeOf(path.join(dataDir, "secrets.json"))),
    rules.ofAddress(env),
    ofEncryption(env),
    ...(APP_URL === undefined ? [] : [rules.ofReach(APP_URL, await reach(APP_URL))]),
  ];
  const database = await inDatabase(env, async ({ directUrl, url }) => [
    ...findingsOf(await examineDatabase(directUrl, rules.DURABLE)),
    ...(await examineWorkspaces(env, url)),
    DATABASE_URL === undefined ? await examineBackups(env, backups) : rules.ofProtection(await protectionOf(directUrl)),
  ]);
  const sent = mail === undefined || SMTP_URL === undefined ? null : { to: mail, error: await tryMail(env, mail) };
  return [...here, ...database, rules.ofMail(SMTP_URL !== undefined, sent)];
}

const findingsOf = ({ version, settings, migrations, brokenIndexes, clockMs, jobs }: Examination): rules.Finding[] => [
  rules.ofVersion(version),
  rules.ofSettings(settings),
  rules.ofMigrations(migrations.missing, migrations.foreign),
  rules.ofIndexes(brokenIndexes),
  rules.ofClock(clockMs),
  rules.ofJobs(jobs),
];

/** Opens the database as it is, without migrating it. What prevents that is the finding. */
async function inDatabase(
  env: Boot["env"],
  work: (database: OpenDatabase) => Promise<rules.Finding[]>,
): Promise<rules.Finding[]> {
  let database: OpenDatabase;
  try {
    database = await openDatabase({ env, purpose: "cli" });
  } catch (error) {
    const says = (error as Error).message;
    return [
      { check: "database", state: "failing", says, mend: "See the log of the database, and the guide: Operate." },
    ];
  }
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What stopped in the workspaces: once the database is as this release needs it. */
async function examineWorkspaces(env: Boot["env"], databaseUrl: string): Promise<rules.Finding[]> {
  setBoot({ env, databaseUrl, secrets: NO_SECRETS });
  try {
    const { migrations } = await readiness();
    if (migrations !== "ok") return [];
    const stopped = await stoppedInWorkspaces();
    const plain = stopped.filter((each) => each.sendsPlainly).map(({ workspace }) => workspace);
    return [
      ...rules.ofWorkspaces(stopped),
      ofTargets(plain),
      rules.ofAuditPush(env.AUDIT_PUSH_URL !== undefined, stopped),
    ];
  } finally {
    await runShutdown();
    await closePool();
  }
}

async function stoppedInWorkspaces(): Promise<(rules.StoppedParts & { sendsPlainly: boolean })[]> {
  const now = new Date();
  const stopped: (rules.StoppedParts & { sendsPlainly: boolean })[] = [];
  for (const { id, name } of await listWorkspaces())
    stopped.push({
      workspace: name,
      ...(await withWorkspace(
        id,
        async (db) => ({
          ...(await stoppedIn({ db }, now)),
          pushTries: await countPushTries({ db }),
          sendsPlainly: await sendsPlainly({ db }),
        }),
        { readOnly: true },
      )),
    });
  return stopped;
}

function modeOf(file: string): number | null | undefined {
  if (!existsSync(file)) return null;
  return process.platform === "win32" ? undefined : statSync(file).mode;
}

/** Asks the app under its public address, as people reach it. */
async function reach(url: string): Promise<rules.ReachAnswer> {
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
    return { status };
  } catch (error) {
    const { message, cause } = error as Error;
    return { error: cause instanceof Error ? cause.message || message : message };
  }
}

/** A place that does not answer, or whose backups cannot be opened, is a finding too. */
async function examineBackups(env: Boot["env"], place: string | undefined): Promise<rules.Finding> {
  try {
    const last = place === undefined ? null : await lastBackup(env, place);
    return rules.ofBackups(place, last, new Date(), readStatus(env)?.problem);
  } catch (error) {
    const mend = `See that ${place} is there and that its settings are right, such as BACKUP_KEY.`;
    return { check: "backups", state: "failing", says: (error as Error).message, mend };
  }
}

async function lastBackup(env: Boot["env"], place: string): Promise<rules.LastBackup | null> {
  const [newest] = await listBackups(openStorage(place, env));
  if (!newest) return null;
  const { manifest, proof } = newest;
  return {
    madeAt: new Date(manifest.made_at),
    verifiedAt: proof ? new Date(proof.verified_at) : null,
    wrong: proof?.wrong ?? [],
  };
}

async function tryMail(env: Boot["env"], to: string): Promise<string | null> {
  try {
    await sendMailBy(env, { to, subject: "Rapport can send mail", text: "You asked Rapport's doctor for this mail." });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
