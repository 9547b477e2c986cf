import { nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import type { CrmConfig, CrmRun, CrmRunRow } from "./contract.ts";
import type { ConfigRow } from "./queries/configs.ts";
import type { ResultRow } from "./queries/rows.ts";
import type { RunRow } from "./queries/runs.ts";

export const configOf = (row: ConfigRow): CrmConfig => ({
  provider: row.provider,
  autoSync: row.autoSync,
  pushActivities: row.pushActivities,
  createInCrm: row.createInCrm,
  createTrigger: row.createTrigger,
  createRequireIcpFit: row.createRequireIcpFit,
  createIcpThreshold: row.createIcpThreshold,
  hygieneEnabled: row.hygieneEnabled,
  hygieneCadence: row.hygieneCadence,
});

export const runOf = (row: RunRow): CrmRun => ({
  id: row.id,
  provider: row.provider,
  kind: row.kind,
  cause: row.cause,
  full: row.everyone,
  state: row.state,
  total: row.total,
  compared: row.position,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  skipped: row.skipped,
  findings: row.findings,
  failed: row.failed,
  matched: row.matched,
  notes: row.notes,
  activities: row.activities,
  message: row.message,
  created_at: formatTime(row.createdAt),
  finished_at: row.finishedAt && formatTime(row.finishedAt),
});

export const rowOf = (row: ResultRow): CrmRunRow => ({
  contact_id: row.contactId,
  name: nameOf(row),
  email: row.email,
  outcome: row.outcome,
  fields: row.fields,
  notes: row.notes,
  activities: row.activities,
  record_id: row.recordId,
  record_url: row.recordUrl,
  message: row.message,
});
