import * as agentUsage from "#lib/domain/access/agent-usage/service.ts";
import * as apiKeys from "#lib/domain/access/api-keys/service.ts";
import * as approvals from "#lib/domain/access/approvals/service.ts";
import * as deviceLogins from "#lib/domain/access/device-logins/service.ts";
import * as directory from "#lib/domain/access/directory/service.ts";
import * as members from "#lib/domain/access/members/service.ts";
import * as oauth from "#lib/domain/access/oauth/service.ts";
import * as passkeys from "#lib/domain/access/passkeys/service.ts";
import * as secondFactor from "#lib/domain/access/second-factor/service.ts";
import * as signInDemand from "#lib/domain/access/sign-in-demand/service.ts";
import * as activities from "#lib/domain/crm/activities/service.ts";
import * as bulkActions from "#lib/domain/crm/bulk-actions/service.ts";
import * as leads from "#lib/domain/crm/leads/service.ts";
import * as people from "#lib/domain/crm/people/service.ts";
import * as savedViews from "#lib/domain/crm/saved-views/service.ts";
import * as stages from "#lib/domain/crm/stages/service.ts";
import * as tasks from "#lib/domain/crm/tasks/service.ts";
import type { Operation } from "#lib/domain/implement.ts";
import type { UserOperation } from "#lib/domain/implement-user.ts";
import * as bookings from "#lib/domain/integrations/bookings/service.ts";
import * as calendars from "#lib/domain/integrations/calendars/service.ts";
import * as connections from "#lib/domain/integrations/connections/service.ts";
import * as crmSync from "#lib/domain/integrations/crm-sync/service.ts";
import * as inbound from "#lib/domain/integrations/inbound/service.ts";
import * as jobs from "#lib/domain/integrations/jobs/service.ts";
import * as mailboxes from "#lib/domain/integrations/mailboxes/service.ts";
import * as triggers from "#lib/domain/integrations/triggers/service.ts";
import * as attention from "#lib/domain/knowledge/attention/service.ts";
import * as changes from "#lib/domain/knowledge/changes/service.ts";
import * as contacts from "#lib/domain/knowledge/contacts/service.ts";
import * as context from "#lib/domain/knowledge/context/service.ts";
import * as feed from "#lib/domain/knowledge/feed/service.ts";
import * as meetings from "#lib/domain/knowledge/meetings/service.ts";
import * as merges from "#lib/domain/knowledge/merges/service.ts";
import * as messages from "#lib/domain/knowledge/messages/service.ts";
import * as notes from "#lib/domain/knowledge/notes/service.ts";
import * as observations from "#lib/domain/knowledge/observations/service.ts";
import * as overview from "#lib/domain/knowledge/overview/service.ts";
import * as query from "#lib/domain/knowledge/query/service.ts";
import * as scoring from "#lib/domain/knowledge/scoring/service.ts";
import * as search from "#lib/domain/knowledge/search/service.ts";
import * as sharing from "#lib/domain/knowledge/sharing/service.ts";
import * as audit from "#lib/domain/records/audit/service.ts";
import * as facts from "#lib/domain/records/facts/service.ts";
import * as tombstones from "#lib/domain/records/tombstones/service.ts";
import * as backupStatus from "#lib/domain/workspace/backup-status/service.ts";
import * as checks from "#lib/domain/workspace/checks/service.ts";
import * as exports from "#lib/domain/workspace/exports/service.ts";
import * as imports from "#lib/domain/workspace/imports/service.ts";
import * as privacy from "#lib/domain/workspace/privacy/service.ts";
import * as sampleData from "#lib/domain/workspace/sample-data/service.ts";
import * as users from "#lib/domain/workspace/users/service.ts";
import * as workspaceStatus from "#lib/domain/workspace/workspace-status/service.ts";
import * as workspaces from "#lib/domain/workspace/workspaces/service.ts";

const has = (value: unknown, ...names: string[]): boolean =>
  typeof value === "object" && value !== null && names.every((name) => name in value);

const isOperation = (value: unknown): value is Operation => has(value, "contract", "execute", "reply");
const isUserOperation = (value: unknown): value is UserOperation => has(value, "contract", "execute", "access");

const slices = [
  activities,
  agentUsage,
  apiKeys,
  approvals,
  attention,
  audit,
  backupStatus,
  bookings,
  bulkActions,
  calendars,
  changes,
  checks,
  connections,
  contacts,
  context,
  crmSync,
  deviceLogins,
  directory,
  exports,
  facts,
  feed,
  jobs,
  imports,
  inbound,
  leads,
  mailboxes,
  meetings,
  members,
  merges,
  messages,
  notes,
  oauth,
  observations,
  overview,
  passkeys,
  people,
  privacy,
  sampleData,
  savedViews,
  scoring,
  search,
  secondFactor,
  sharing,
  signInDemand,
  query,
  stages,
  triggers,
  tasks,
  tombstones,
  users,
  workspaceStatus,
  workspaces,
].flatMap((slice) => Object.values<unknown>(slice));

/** Every operation of a workspace. Routes, the OpenAPI document, the session surface and the conformance battery read it. */
export const operations: readonly Operation[] = slices.filter(isOperation);

/** Operations of a person: before they have a workspace, or across several. */
export const userOperations: readonly UserOperation[] = slices.filter(isUserOperation);
