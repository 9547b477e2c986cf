import { leavesToPeople, planHas, planNames } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import { findModel } from "#lib/domain/crm/scores/service.ts";
import { LeftToPerson } from "#lib/domain/holding.ts";
import { implement } from "#lib/domain/implement.ts";
import { connectedProviders } from "#lib/domain/integrations/connections/service.ts";
import { syncedCrms } from "#lib/domain/integrations/crm-sync/service.ts";
import { countTriggers } from "#lib/domain/integrations/triggers/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { saveSection } from "#lib/domain/records/facts/service.ts";
import { websiteOf } from "#lib/domain/workspace/workspaces/service.ts";
import { isProviderName, providerOf } from "#lib/providers/registry.ts";
import { DAY_MS } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { countFacts, getProfile, hasPeople, lockProfile, type ProfileRow, setProfile } from "./queries.ts";
import { missingFields, nextSteps, playbookOf, STALE_DAYS } from "./rules.ts";

export const getWorkspaceStatus = implement(contract.getWorkspaceStatus, async ({ db }) => {
  const [row, facts, peopleKnown, connected, triggers, model, synced] = await together([
    getProfile(db),
    countFacts(db, new Date(Date.now() - STALE_DAYS * DAY_MS)),
    hasPeople(db),
    connectedProviders({ db }),
    countTriggers(db),
    findModel(db),
    syncedCrms({ db }),
  ]);
  const setup = {
    ...{ profile: profileOf(row), facts, peopleKnown, triggers },
    model: model && { version: model.version, signals: model.signals.length },
  };
  const missing = missingFields(setup);
  const crmSync = planHas(row.plan, "crm_sync");
  return {
    workspace: setup.profile,
    plan: {
      id: row.plan,
      name: planNames[row.plan],
      crm_sync: crmSync,
      lead_lists: planHas(row.plan, "lead_lists"),
      icp_scoring: planHas(row.plan, "icp_scoring"),
    },
    setup: {
      onboarding: { done: missing.length === 0, missing },
      gtm_playbook: playbookOf(setup),
      integrations: {
        count: connected.length,
        connected: connected.map((provider) => ({
          provider,
          name: isProviderName(provider) ? providerOf(provider).displayName : provider,
        })),
      },
      crm_sync: {
        available: crmSync,
        configured: synced.length > 0,
        providers: synced.map((provider) => ({ provider })),
      },
      enrichment: { connected: false, provider: null },
      webhooks: { count: 0 },
      triggers: { count: triggers.count },
    },
    next_steps: nextSteps(setup),
  };
});

export const setWorkspaceProfile = implement(contract.setWorkspaceProfile, async (ctx, { icp, ...input }) => {
  const before = await lockProfile(ctx.db);
  const after: ProfileRow = {
    ...before,
    name: input.name ?? before.name,
    website: input.website === undefined ? before.website : websiteOf(input.website),
    businessType: input.business_type ?? before.businessType,
    planModel: input.plan_model ?? before.planModel,
    defaultSignupStage: input.default_signup_stage ?? before.defaultSignupStage,
  };
  const [from, to] = [profileOf(before), profileOf(after)];
  const changed = contract.profileFields.filter((field) => from[field] !== to[field]);
  // An agent fills what is blank; what is there, a person replaces.
  if (leavesToPeople(ctx) && changed.some((field) => from[field] !== null)) throw new LeftToPerson();
  if (changed.length > 0) await setProfile(ctx.db, after);
  for (const field of changed)
    await recordAudit(ctx, "workspace.changed", ctx.workspaceId, { field, from: from[field], to: to[field] });
  if (icp !== undefined) await saveSection(ctx, { section: "ICP", content: icp, mode: "replace" });
  return { ok: true as const, workspace: to };
});

const profileOf = (row: ProfileRow): contract.WorkspaceProfile => ({
  id: row.id,
  entity_id: row.id,
  name: row.name,
  website: row.website,
  business_type: row.businessType as contract.WorkspaceProfile["business_type"],
  plan_model: row.planModel as contract.WorkspaceProfile["plan_model"],
  default_signup_stage: row.defaultSignupStage as contract.WorkspaceProfile["default_signup_stage"],
});
