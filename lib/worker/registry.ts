import { maintenance as agentUsageMaintenance } from "#lib/domain/agent-usage/jobs.ts";
import { maintenance as approvalsMaintenance } from "#lib/domain/approvals/jobs.ts";
import { maintenance as attentionMaintenance } from "#lib/domain/attention/jobs.ts";
import { jobs as bookings, maintenance as bookingsMaintenance } from "#lib/domain/bookings/jobs.ts";
import { jobs as bulkActions, maintenance as bulkActionsMaintenance } from "#lib/domain/bulk-actions/jobs.ts";
import { maintenance as changesMaintenance } from "#lib/domain/changes/jobs.ts";
import { jobs as connections } from "#lib/domain/connections/jobs.ts";
import { jobs as crmSync, maintenance as crmSyncMaintenance } from "#lib/domain/crm-sync/jobs.ts";
import { schedules as deviceLogins } from "#lib/domain/device-logins/jobs.ts";
import { jobs as exports, maintenance as exportsMaintenance } from "#lib/domain/exports/jobs.ts";
import { jobs as imports, maintenance as importsMaintenance } from "#lib/domain/imports/jobs.ts";
import { jobs as inbound, maintenance as inboundMaintenance } from "#lib/domain/inbound/jobs.ts";
import { jobs as notes, maintenance as notesMaintenance, walks as notesWalks } from "#lib/domain/notes/jobs.ts";
import { maintenance as oauthMaintenance, schedules as oauthSchedules } from "#lib/domain/oauth/jobs.ts";
import { jobs as scoring, maintenance as scoringMaintenance } from "#lib/domain/scoring/jobs.ts";
import { maintenance as triggersMaintenance } from "#lib/domain/triggers/jobs.ts";
import { handles, type JobHandler, type Schedule, type Walk } from "#lib/jobs/handler.ts";
import { keptAnswers } from "./kept-answers.ts";
import { maintain, maintaining } from "./maintenance.ts";
import { tidySchedule } from "./tidy.ts";

/** The hourly maintenance of every workspace. */
const maintenance = [
  keptAnswers,
  ...triggersMaintenance,
  ...changesMaintenance,
  ...inboundMaintenance,
  ...notesMaintenance,
  ...bookingsMaintenance,
  ...crmSyncMaintenance,
  ...agentUsageMaintenance,
  ...oauthMaintenance,
  ...approvalsMaintenance,
  ...attentionMaintenance,
  ...scoringMaintenance,
  ...bulkActionsMaintenance,
  ...exportsMaintenance,
  ...importsMaintenance,
];

/** Every kind of job there is. */
export const handlers: readonly JobHandler[] = [
  ...connections,
  ...bookings,
  ...bulkActions,
  ...crmSync,
  ...exports,
  ...imports,
  ...inbound,
  ...notes,
  ...scoring,
  handles(maintaining, maintain(maintenance)),
];

/** The walks through all workspaces. */
export const walks: readonly Walk[] = [
  { name: "maintenance", pattern: "17 * * * *", parts: maintenance },
  ...notesWalks,
];

/** The scheduled work of the whole installation. */
export const schedules: readonly Schedule[] = [tidySchedule, ...oauthSchedules, ...deviceLogins];
