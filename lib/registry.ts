import * as activities from "#lib/domain/activities/service.ts";
import * as agentUsage from "#lib/domain/agent-usage/service.ts";
import * as apiKeys from "#lib/domain/api-keys/service.ts";
import * as approvals from "#lib/domain/approvals/service.ts";
import * as attention from "#lib/domain/attention/service.ts";
import * as audit from "#lib/domain/audit/service.ts";
import * as bookings from "#lib/domain/bookings/service.ts";
import * as bulkActions from "#lib/domain/bulk-actions/service.ts";
import * as changes from "#lib/domain/changes/service.ts";
import * as connections from "#lib/domain/connections/service.ts";
import * as contacts from "#lib/domain/contacts/service.ts";
import * as context from "#lib/domain/context/service.ts";
import * as crmSync from "#lib/domain/crm-sync/service.ts";
import * as deviceLogins from "#lib/domain/device-logins/service.ts";
import * as exports from "#lib/domain/exports/service.ts";
import * as facts from "#lib/domain/facts/service.ts";
import * as feed from "#lib/domain/feed/service.ts";
import type { Operation } from "#lib/domain/implement.ts";
import type { UserOperation } from "#lib/domain/implement-user.ts";
import * as imports from "#lib/domain/imports/service.ts";
import * as inbound from "#lib/domain/inbound/service.ts";
import * as jobs from "#lib/domain/jobs/service.ts";
import * as leads from "#lib/domain/leads/service.ts";
import * as members from "#lib/domain/members/service.ts";
import * as merges from "#lib/domain/merges/service.ts";
import * as notes from "#lib/domain/notes/service.ts";
import * as oauth from "#lib/domain/oauth/service.ts";
import * as observations from "#lib/domain/observations/service.ts";
import * as overview from "#lib/domain/overview/service.ts";
import * as people from "#lib/domain/people/service.ts";
import * as privacy from "#lib/domain/privacy/service.ts";
import * as query from "#lib/domain/query/service.ts";
import * as sampleData from "#lib/domain/sample-data/service.ts";
import * as savedViews from "#lib/domain/saved-views/service.ts";
import * as scoring from "#lib/domain/scoring/service.ts";
import * as stages from "#lib/domain/stages/service.ts";
import * as tasks from "#lib/domain/tasks/service.ts";
import * as tombstones from "#lib/domain/tombstones/service.ts";
import * as triggers from "#lib/domain/triggers/service.ts";
import * as users from "#lib/domain/users/service.ts";
import * as workspaceStatus from "#lib/domain/workspace-status/service.ts";
import * as workspaces from "#lib/domain/workspaces/service.ts";

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
  bookings,
  bulkActions,
  changes,
  connections,
  contacts,
  context,
  crmSync,
  deviceLogins,
  exports,
  facts,
  feed,
  jobs,
  imports,
  inbound,
  leads,
  members,
  merges,
  notes,
  oauth,
  observations,
  overview,
  people,
  privacy,
  sampleData,
  savedViews,
  scoring,
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

/** Operations on the user's own account: before they have a workspace, or across several. */
export const userOperations: readonly UserOperation[] = slices.filter(isUserOperation);
