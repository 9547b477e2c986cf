/** Brings a database up to date: Rapport's tables, and those of the job queue. */
export async function migrateDatabase(options: {
  url: string;
  /** a pooler in front of it, whose login has its settings in the database */
  pooledUrl?: string;
  log?: (line: string) => void;
}): Promise<{ applied: string[] }> {
  const [{ migrate }, { migrateQueue }] = await Promise.all([
    import("#lib/db/migrate.ts"),
    import("#lib/jobs/schema.ts"),
  ]);
  const { pooledUrl, ...rest } = options;
  if (pooledUrl === undefined) return migrate({ ...rest, also: migrateQueue });
  const pooledAs = decodeURIComponent(new URL(pooledUrl).username);
  const done = await migrate({ ...rest, pooledAs, also: migrateQueue });
  const { loginOf, requirePoolable } = await import("#lib/db/login.ts");
  requirePoolable(await loginOf(pooledUrl));
  return done;
}

/** The pooler in front of a database, as `migrateDatabase` takes it. */
export const pooledBefore = ({ url, directUrl }: { url: string; directUrl: string }): { pooledUrl?: string } =>
  url === directUrl ? {} : { pooledUrl: url };
