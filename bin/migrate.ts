/** Brings a database up to date: Rapport's tables, and those of the job queue. */
export async function migrateDatabase(options: {
  url: string;
  log?: (line: string) => void;
}): Promise<{ applied: string[] }> {
  const [{ migrate }, { migrateQueue }] = await Promise.all([
    import("#lib/db/migrate.ts"),
    import("#lib/jobs/schema.ts"),
  ]);
  return migrate({ ...options, also: migrateQueue });
}
