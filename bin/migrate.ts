import path from "node:path";
import type { Env } from "#lib/settings/env.ts";

/** Brings a database up to date: Rapport's tables, and those of the job queue. */
export async function migrateDatabase(options: {
  url: string;
  /** a pooler in front of it, whose login has its settings in the database */
  pooledUrl?: string;
  log?: (line: string) => void;
  /** what is done before a database of an earlier release is changed */
  before?: () => Promise<void>;
}): Promise<{ applied: string[] }> {
  const [{ migrate }, { migrateQueue }] = await Promise.all([
    import("#lib/db/migrate.ts"),
    import("#lib/jobs/schema.ts"),
  ]);
  const { pooledUrl, ...rest } = options;
  const pooledAs = pooledUrl === undefined ? {} : { pooledAs: decodeURIComponent(new URL(pooledUrl).username) };
  const done = await migrate({ ...rest, ...pooledAs, also: migrateQueue });
  if (pooledUrl !== undefined) {
    const { loginOf, requirePoolable } = await import("#lib/db/login.ts");
    requirePoolable(await loginOf(pooledUrl));
  }
  await tellUntrusted(options);
  return done;
}

async function tellUntrusted({ url, log }: { url: string; log?: (line: string) => void }): Promise<void> {
  const { untrustedOperators } = await import("#lib/db/trusted-operators.ts");
  const statements = await untrustedOperators(url);
  if (statements.length > 0)
    log?.(`lists and searches are slow, until a superuser runs in this database: ${statements.join(" ")}`);
}

/** The pooler in front of a database, as `migrateDatabase` takes it. */
export const pooledBefore = ({ url, directUrl }: { url: string; directUrl: string }): { pooledUrl?: string } =>
  url === directUrl ? {} : { pooledUrl: url };

/** The backup of an embedded database before an upgrade, as `migrateDatabase` takes it. */
export const backedUpBefore = (
  { superuserUrl }: { superuserUrl?: string },
  env: Env,
  log: (line: string) => void,
): { before?: () => Promise<void> } =>
  superuserUrl === undefined
    ? {}
    : {
        before: async () => {
          const { backUpBeforeUpgrade } = await import("#lib/db/backup/before-upgrade.ts");
          const { openStorage } = await import("#lib/db/backup/open-storage.ts");
          const place = env.BACKUP_TO ?? path.join(env.RAPPORT_DATA_DIR, "backups");
          await backUpBeforeUpgrade(superuserUrl, openStorage(place, env), log);
        },
      };
