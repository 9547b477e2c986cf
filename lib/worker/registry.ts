import { withWorkspace } from "#lib/db/transaction.ts";
import { maintenance as agentUsageMaintenance } from "#lib/domain/access/agent-usage/jobs.ts";
import { maintenance as approvalsMaintenance } from "#lib/domain/access/approvals/jobs.ts";
import { schedules as deviceLogins } from "#lib/domain/access/device-logins/jobs.ts";
import { maintenance as oauthMaintenance, schedules as oauthSchedules } from "#lib/domain/access/oauth/jobs.ts";
import { jobs as bulkActions, maintenance as bulkActionsMaintenance } from "#lib/domain/crm/bulk-actions/jobs.ts";
import { jobs as bookings, maintenance as bookingsMaintenance } from "#lib/domain/integrations/bookings/jobs.ts";
import { jobs as calendars, maintenance as calendarsMaintenance } from "#lib/domain/integrations/calendars/jobs.ts";
import {
  jobs as connections,
  maintenance as connectionsMaintenance,
} from "#lib/domain/integrations/connections/jobs.ts";
import { jobs as crmSync, maintenance as crmSyncMaintenance } from "#lib/domain/integrations/crm-sync/jobs.ts";
import { jobs as inbound, maintenance as inboundMaintenance } from "#lib/domain/integrations/inbound/jobs.ts";
import { jobs as mailboxes, maintenance as mailboxesMaintenance } from "#lib/domain/integrations/mailboxes/jobs.ts";
import { maintenance as triggersMaintenance } from "#lib/domain/integrations/triggers/jobs.ts";
import { maintenance as attentionMaintenance } from "#lib/domain/knowledge/attention/jobs.ts";
import { maintenance as changesMaintenance } from "#lib/domain/knowledge/changes/jobs.ts";
import { jobs as meetings, maintenance as meetingsMaintenance } from "#lib/domain/knowledge/meetings/jobs.ts";
import { jobs as messages, maintenance as messagesMaintenance } from "#lib/domain/knowledge/messages/jobs.ts";
import {
  jobs as notes,
  maintenance as notesMaintenance,
  walks as notesWalks,
} from "#lib/domain/knowledge/notes/jobs.ts";
import { jobs as scoring, maintenance as scoringMaintenance } from "#lib/domain/knowledge/scoring/jobs.ts";
import { removeExpiredIdempotent } from "#lib/domain/queries/kept-answers.ts";
import { jobs as audit, maintenance as auditMaintenance } from "#lib/domain/records/audit/jobs.ts";
import { schedules as backups } from "#lib/domain/workspace/backups/jobs.ts";
import { maintenance as checksMaintenance } from "#lib/domain/workspace/checks/jobs.ts";
import { jobs as exports, maintenance as exportsMaintenance } from "#lib/domain/workspace/exports/jobs.ts";
import { jobs as imports, maintenance as importsMaintenance } from "#lib/domain/workspace/imports/jobs.ts";
import type { JobHandler, Maintenance, Schedule, Walk } from "#lib/jobs/handler.ts";
import { givenUpSchedule } from "./given-up.ts";
import { maintain } from "./maintenance.ts";
import { tidySchedule } from "./tidy.ts";

const ANSWERS = 1_000;

/** Deletes answers stored for an Idempotency-Key after the day that they are kept. */
const keptAnswers: Maintenance = {
  name: "kept answers",
  step: async (workspaceId) =>
    (await withWorkspace(workspaceId, (db) => removeExpiredIdempotent(db, ANSWERS))) === ANSWERS,
};

/** The hourly maintenance of every workspace. */
const maintenance = [
  keptAnswers,
  ...triggersMaintenance,
  ...changesMaintenance,
  ...inboundMaintenance,
  ...mailboxesMaintenance,
  ...calendarsMaintenance,
  ...messagesMaintenance,
  ...meetingsMaintenance,
  ...notesMaintenance,
  ...bookingsMaintenance,
  ...connectionsMaintenance,
  ...crmSyncMaintenance,
  ...agentUsageMaintenance,
  ...oauthMaintenance,
  ...approvalsMaintenance,
  ...attentionMaintenance,
  ...scoringMaintenance,
  ...bulkActionsMaintenance,
  ...exportsMaintenance,
  ...importsMaintenance,
  ...auditMaintenance,
  ...checksMaintenance,
];

/** Every kind of job there is. */
export const handlers: readonly JobHandler[] = [
  ...audit,
  ...connections,
  ...bookings,
  ...bulkActions,
  ...crmSync,
  ...exports,
  ...imports,
  ...inbound,
  ...mailboxes,
  ...calendars,
  ...messages,
  ...meetings,
  ...notes,
  ...scoring,
  maintain(maintenance),
];

/** The walks through all workspaces. */
export const walks: readonly Walk[] = [
  { name: "maintenance", pattern: "17 * * * *", parts: maintenance },
  ...notesWalks,
];

/** The scheduled work of the whole installation. */
export const schedules: readonly Schedule[] = [
  tidySchedule,
  givenUpSchedule(handlers),
  ...oauthSchedules,
  ...deviceLogins,
  ...backups,
];
