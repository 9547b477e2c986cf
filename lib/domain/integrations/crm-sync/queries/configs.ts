import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { CrmConfig } from "#prisma/generated/client.ts";
import type { CrmRules } from "../contract.ts";

export type ConfigRow = CrmRules & Pick<CrmConfig, "provider" | "matchedPortal" | "comparedPortal" | "comparedTo">;

/** One for each CRM. */
export const findConfigs = (db: Db): Promise<ConfigRow[]> =>
  db.prisma.crmConfig.findMany({
    omit: { workspaceId: true, updatedAt: true, updatedBy: true },
    orderBy: { provider: "asc" },
  }) as Promise<ConfigRow[]>;

export const findConfig = async (db: Db, provider: string): Promise<ConfigRow | null> =>
  (await findConfigs(db)).find((row) => row.provider === provider) ?? null;

export async function saveConfig(db: Db, provider: string, rules: CrmRules, by: string): Promise<void> {
  const { autoSync, pushActivities, createInCrm, createTrigger } = rules;
  const { createRequireIcpFit, createIcpThreshold, hygieneEnabled, hygieneCadence } = rules;
  const data = {
    ...{ autoSync, pushActivities, createInCrm, createTrigger },
    ...{ createRequireIcpFit, createIcpThreshold, hygieneEnabled, hygieneCadence },
    ...{ updatedBy: by, updatedAt: new Date() },
  };
  await db.prisma.crmConfig.createMany({ data: [{ ...data, provider }], skipDuplicates: true });
  await db.prisma.crmConfig.updateMany({ where: { provider }, data });
}

const change = async (db: Db, provider: string, data: Partial<ConfigRow>): Promise<void> => {
  await db.prisma.crmConfig.updateMany({ where: { provider }, data });
};

/** The existing contacts of this portal are matched with people here. */
export const markMatched = (db: Db, provider: string, portal: string): Promise<void> =>
  change(db, provider, { matchedPortal: portal });

/** People who changed before `to` were compared with this portal. */
export const markCompared = (db: Db, provider: string, portal: string, to: Date): Promise<void> =>
  change(db, provider, { comparedPortal: portal, comparedTo: to });

/** Everyone is compared again by the next run. */
export const markUncompared = (db: Db, provider: string): Promise<void> => change(db, provider, { comparedTo: null });

// Of the whole installation, which is why it names no workspace. Times of rows are those of the database's clock while
// their transaction runs, cut to milliseconds; a transaction that is open for longer than 15 minutes is not waited for.
const horizon = sql(
  "crm_horizon",
  `SELECT greatest(now() - interval '15 minutes', coalesce(min(xact_start), now())) - interval '1 millisecond' AS at
   FROM pg_stat_activity WHERE datname = current_database()`,
);

/** What changes from now on has a later time than this. */
export async function findHorizon(db: Db): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(horizon);
  if (!row) throw new Error("the database does not say what time it is");
  return row.at;
}
