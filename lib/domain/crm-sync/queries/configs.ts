import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { CrmRules } from "../contract.ts";

export type ConfigRow = CrmRules & {
  provider: string;
  matchedAccount: string | null;
  comparedAccount: string | null;
  comparedTo: Date | null;
};

const COLUMNS = `provider, auto_sync AS "autoSync", push_activities AS "pushActivities", create_in_crm AS "createInCrm",
  create_trigger AS "createTrigger", create_require_icp_fit AS "createRequireIcpFit", create_icp_threshold AS "createIcpThreshold",
  hygiene_enabled AS "hygieneEnabled", hygiene_cadence AS "hygieneCadence", matched_account AS "matchedAccount",
  compared_account AS "comparedAccount", compared_to AS "comparedTo"`;

// crm_configs_pkey: one row for each CRM
const all = sql("crm_configs", `SELECT ${COLUMNS} FROM crm_configs WHERE workspace_id = $workspace ORDER BY provider`);
export const findConfigs = (db: Db): Promise<ConfigRow[]> => db.query<ConfigRow>(all);

export const findConfig = async (db: Db, provider: string): Promise<ConfigRow | null> =>
  (await findConfigs(db)).find((row) => row.provider === provider) ?? null;

// crm_configs_pkey
const save = sql(
  "crm_config_save",
  `INSERT INTO crm_configs AS c (workspace_id, provider, auto_sync, push_activities, create_in_crm, create_trigger,
     create_require_icp_fit, create_icp_threshold, hygiene_enabled, hygiene_cadence, updated_by, updated_at)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
   ON CONFLICT (workspace_id, provider) DO UPDATE SET auto_sync = excluded.auto_sync, push_activities = excluded.push_activities,
     create_in_crm = excluded.create_in_crm, create_trigger = excluded.create_trigger,
     create_require_icp_fit = excluded.create_require_icp_fit, create_icp_threshold = excluded.create_icp_threshold,
     hygiene_enabled = excluded.hygiene_enabled, hygiene_cadence = excluded.hygiene_cadence,
     updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
);

export async function saveConfig(db: Db, provider: string, rules: CrmRules, by: string): Promise<void> {
  const { autoSync, pushActivities, createInCrm, createTrigger } = rules;
  const { createRequireIcpFit, createIcpThreshold, hygieneEnabled, hygieneCadence } = rules;
  const creating = [createInCrm, createTrigger, createRequireIcpFit, createIcpThreshold];
  await db.query(save, [provider, autoSync, pushActivities, ...creating, hygieneEnabled, hygieneCadence, by]);
}

// crm_configs_pkey
const matched = sql(
  "crm_config_matched",
  "UPDATE crm_configs SET matched_account = $2 WHERE workspace_id = $workspace AND provider = $1",
);
const compared = sql(
  "crm_config_compared",
  "UPDATE crm_configs SET compared_account = $2, compared_to = $3 WHERE workspace_id = $workspace AND provider = $1",
);
// Everyone is compared again by the next run.
const uncompared = sql(
  "crm_config_uncompared",
  "UPDATE crm_configs SET compared_to = NULL WHERE workspace_id = $workspace AND provider = $1",
);

/** The existing contacts of this account are matched with people here. */
export async function markMatched(db: Db, provider: string, account: string): Promise<void> {
  await db.query(matched, [provider, account]);
}

/** People who changed before `to` were compared with this account. */
export async function markCompared(db: Db, provider: string, account: string, to: Date): Promise<void> {
  await db.query(compared, [provider, account, to]);
}

export async function markUncompared(db: Db, provider: string): Promise<void> {
  await db.query(uncompared, [provider]);
}

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
