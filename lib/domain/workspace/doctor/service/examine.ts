import { existsSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { askBreached } from "#lib/auth/breached-passwords.ts";
import { sendMailBy } from "#lib/auth/mail.ts";
import { listWorkspaces } from "#lib/auth/operator.ts";
import { together } from "#lib/core/together.ts";
import { readStatus } from "#lib/db/backup/status.ts";
import { diskOf } from "#lib/db/disk-space.ts";
import type { OpenDatabase } from "#lib/db/embedded/open.ts";
import { hasState } from "#lib/db/embedded/state.ts";
import { type Examination, examineDatabase, protectionOf } from "#lib/db/examination.ts";
import { expectedObjects } from "#lib/db/objects.ts";
import { readiness } from "#lib/db/readiness.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { askConnected } from "#lib/domain/integrations/connections/service.ts";
import { sendsPlainly } from "#lib/domain/integrations/triggers/service.ts";
import { countPushTries } from "#lib/domain/records/audit/service.ts";
import { listBackups, openStorage } from "#lib/domain/workspace/backups/service.ts";
import { stoppedIn } from "#lib/domain/workspace/checks/service.ts";
import { providerOf } from "#lib/providers/registry.ts";
import type { Boot } from "#lib/settings/boot.ts";
import { ofAddress, ofBreached, ofMail, ofPlain, ofReach, type ReachAnswer } from "../rules/address.ts";
import { type LastBackup, needsBackup, ofBackups, ofProtection } from "../rules/backups.ts";
import { countRepeatable, DURABLE, ofClock, ofJobs, ofMigrations, ofSettings, ofVersion } from "../rules/database.ts";
import { ofEncryption, ofTargets } from "../rules/encryption.ts";
import type { Finding } from "../rules/finding.ts";
import { isOpenToOthers, ofDisk, ofLeftovers, ofMemory, ofNode, ofSecrets } from "../rules/machine.ts";
import { driftOf, ofIndexes, ofSchema, ownOf } from "../rules/schema.ts";
import { type AskedProvider, ofAuditPush, ofProviders, ofWorkspaces, type StoppedParts } from "../rules/workspaces.ts";
import { findLeftovers } from "./leftovers.ts";
import { encryptionKeysOf, inDatabase, withPool } from "./open.ts";
import { ofBackup, ofBroken, ofFailedJobs, ofLeftover, ofMissing, ofMode, type Repair } from "./repair.ts";

/** `backups`: the folder they are kept in, `BACKUP_TO` when unset; `mail`: an address that gets a mail for a try. */
export type DoctorOptions = { backups?: string; mail?: string };

/** What was found, and what `repair` would do about it. */
type Examined = { findings: Finding[]; repairs: Repair[] };

const PATIENCE_MS = 10_000;
/** How long providers are asked, and how many workspaces at once. */
const ASKING_MS = 60_000;
const AT_ONCE = 8;

const joined = (parts: readonly Examined[]): Examined => ({
  findings: parts.flatMap(({ findings }) => findings),
  repairs: parts.flatMap(({ repairs }) => repairs),
});
const found = (...findings: Finding[]): Examined => ({ findings, repairs: [] });

/**
 * Looks at this installation and says for each part whether it is fine, and what mends it. Changes nothing, and runs whether the app
 * runs or not. A database that does not open is a finding, not an error.
 */
export async function examine(env: Boot["env"], { backups = env.BACKUP_TO, mail }: DoctorOptions): Promise<Examined> {
  const { RAPPORT_DATA_DIR: dataDir, DATABASE_URL, SMTP_URL } = env;
  if (DATABASE_URL === undefined && !hasState(dataDir))
    return found({
      check: "database",
      state: "failing",
      says: `There is no database in ${dataDir}.`,
      mend: "Set RAPPORT_DATA_DIR to the data folder of the installation, or start Rapport: it makes one.",
    });
  const here = await examineMachine(env);
  const database = await opened(env, async ({ directUrl, url }) =>
    joined([
      await examineTables(await examineDatabase(directUrl, DURABLE)),
      found(...(await examineWorkspaces(env, url))),
      DATABASE_URL === undefined
        ? await examineBackups(env, backups)
        : found(ofProtection(await protectionOf(directUrl))),
    ]),
  );
  const sent = mail === undefined || SMTP_URL === undefined ? null : { to: mail, error: await tryMail(env, mail) };
  return joined([here, database, found(ofMail(SMTP_URL !== undefined, sent))]);
}

async function examineMachine(env: Boot["env"]): Promise<Examined> {
  const { RAPPORT_DATA_DIR: dataDir, APP_URL } = env;
  const leftovers = findLeftovers(dataDir);
  const secrets = path.join(dataDir, "secrets.json");
  const mode = modeOf(secrets);
  return {
    findings: [
      ofDisk(dataDir, await diskOf(dataDir)),
      ofMemory(Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)),
      ofNode(process.versions.node),
      ofSecrets(secrets, mode, encryptionKeysOf(env).problem),
      ofLeftovers(leftovers.map((each) => each.path)),
      ofAddress(env),
      ofEncryption(env),
      ...(APP_URL === undefined ? [] : [ofReach(APP_URL, await reach(APP_URL))]),
      ...(APP_URL?.startsWith("https:") ? [await examinePlain(APP_URL)] : []),
      ...(env.BREACHED_PASSWORDS_URL === undefined ? [] : [await examineBreached(env.BREACHED_PASSWORDS_URL)]),
    ],
    repairs: [...(isOpenToOthers(mode) ? [ofMode(secrets)] : []), ...leftovers.map(ofLeftover)],
  };
}

/** The tables are compared with those of this release once it has migrated them. */
async function examineTables(examination: Examination): Promise<Examined> {
  const { version, settings, migrations, objects, isSpread, clockMs, jobs } = examination;
  const isMigrated = migrations.missing.length === 0 && migrations.foreign.length === 0;
  const expected = await expectedObjects();
  const drift = driftOf(isMigrated ? expected : [], objects, { isSpread });
  const broken = ownOf(examination.brokenIndexes, expected);
  const repeatable = countRepeatable(jobs.failed);
  const indexes = drift.missing.filter(({ kind }) => kind === "index");
  return {
    findings: [
      ofVersion(version),
      ofSettings(settings),
      ofMigrations(migrations.missing, migrations.foreign),
      ...(isMigrated ? [ofSchema(drift)] : []),
      ofIndexes(broken, drift),
      ofClock(clockMs),
      ofJobs(jobs),
    ],
    repairs: [
      ...broken.map(ofBroken),
      ...indexes.map(ofMissing),
      ...(repeatable > 0 ? [ofFailedJobs(repeatable)] : []),
    ],
  };
}

/** What prevents that the database opens is the finding. */
async function opened(env: Boot["env"], work: (database: OpenDatabase) => Promise<Examined>): Promise<Examined> {
  let isOpen = false;
  try {
    return await inDatabase(env, (database) => {
      isOpen = true;
      return work(database);
    });
  } catch (error) {
    if (isOpen) throw error;
    const says = (error as Error).message;
    const mend = "See the log of the database, and the guide: Operate.";
    return found({ check: "database", state: "failing", says, mend });
  }
}

/** What stopped in the workspaces: once the database is as this release needs it. */
const examineWorkspaces = (env: Boot["env"], databaseUrl: string): Promise<Finding[]> =>
  withPool(env, databaseUrl, async () => {
    const { migrations } = await readiness();
    if (migrations !== "ok") return [];
    const stopped = await stoppedInWorkspaces();
    const plain = stopped.filter((each) => each.sendsPlainly).map(({ workspace }) => workspace);
    return [
      ...ofWorkspaces(stopped),
      await askProviders(),
      ofTargets(plain, env),
      ofAuditPush(env.AUDIT_PUSH_URL !== undefined, stopped),
    ];
  });

/** Asks every provider of every workspace, some workspaces at a time, for a minute at most. */
async function askProviders(): Promise<Finding> {
  const until = Date.now() + ASKING_MS;
  const waiting = await listWorkspaces();
  const asked: AskedProvider[] = [];
  const askInTurn = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, name: workspace } = next;
      for (const standing of await askConnected(id))
        asked.push({
          ...{ workspace, provider: providerOf(standing.provider).displayName, says: standing.says },
          endsAt: standing.says === "accepted" ? standing.endsAt : null,
        });
      if (Date.now() > until) return;
    }
  };
  await together(Array.from({ length: AT_ONCE }, askInTurn));
  return ofProviders(asked, waiting.length, new Date());
}

async function stoppedInWorkspaces(): Promise<(StoppedParts & { sendsPlainly: boolean })[]> {
  const now = new Date();
  const stopped: (StoppedParts & { sendsPlainly: boolean })[] = [];
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
async function reach(url: string): Promise<ReachAnswer> {
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
    return { status };
  } catch (error) {
    const { message, cause } = error as Error;
    return { error: cause instanceof Error ? cause.message || message : message };
  }
}

/** Asks the public address without encryption, at the port that browsers try. */
async function examinePlain(url: string): Promise<Finding> {
  const plain = `http://${new URL(url).hostname}`;
  const asked = fetch(`${plain}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
  const answered = asked.then(({ status, headers }) => ({ status, to: headers.get("location") }));
  return ofPlain(plain, await answered.catch(() => null));
}

const examineBreached = async (url: string): Promise<Finding> =>
  ofBreached(url, await askBreached(url, "password").catch((error: Error) => ({ error: error.message })));

/** A place that does not answer, or whose backups cannot be opened, is a finding too. */
async function examineBackups(env: Boot["env"], place: string | undefined): Promise<Examined> {
  try {
    const last = place === undefined ? null : await lastBackup(env, place);
    const now = new Date();
    return {
      findings: [ofBackups(place, last, now, readStatus(env)?.problem)],
      repairs: place !== undefined && needsBackup(last, now) ? [ofBackup(place)] : [],
    };
  } catch (error) {
    const mend = `See that ${place} is there and that its settings are right, such as BACKUP_KEY.`;
    return found({ check: "backups", state: "failing", says: (error as Error).message, mend });
  }
}

async function lastBackup(env: Boot["env"], place: string): Promise<LastBackup | null> {
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
