import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  type CrmConnection,
  connectedProviders,
  findCrmConnection,
  tellChanged,
} from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { crmNames, providerOf } from "#lib/providers/registry.ts";
import * as contract from "../contract.ts";
import { findConfig, findConfigs, markUncompared, saveConfig } from "../queries/configs.ts";
import { countLinked } from "../queries/records.ts";
import { findRuns } from "../queries/runs.ts";
import { configured, standardRules } from "../rules/contacts.ts";
import { configOf, runOf } from "../serialize.ts";
import { queueAuto } from "./auto.ts";

/** The connection with a CRM. Throws 400 `crm_not_connected`. */
export async function requireCrm(ctx: Ctx, provider: string): Promise<CrmConnection> {
  const crm = await findCrmConnection(ctx, provider);
  if (!crm) throw new Fault("crm_not_connected", { provider: provider.slice(0, 100), crms: crmNames });
  return crm;
}

export const configureCrmSync = implement(contract.configureCrmSync, async (ctx, { provider: name, ...given }) => {
  const { provider } = await requireCrm(ctx, name);
  const before = await findConfig(ctx.db, provider);
  const after = configured(before ?? standardRules, given);
  await saveConfig(ctx.db, provider, after, nameOfActor(ctx));
  // Other people may be created, and other things pushed, than before.
  await markUncompared(ctx.db, provider);
  if (after.autoSync) await queueAuto(ctx.db, provider);
  const row = await findConfig(ctx.db, provider);
  if (!row) throw new Error("a configuration that was just saved is not there");
  await recordAudit(ctx, "crm_sync.configured", null, { ...configOf(row) });
  tellChanged(ctx);
  return { ok: true as const, config: configOf(row) };
});

export const getCrmSync = implement(contract.getCrmSync, async (ctx) => {
  const [configs, linked] = await together([findConfigs(ctx.db), countLinked(ctx.db)]);
  const crms = await together(
    crmNames.map(async (provider) => {
      const [crm, [last]] = await together([findCrmConnection(ctx, provider), findRuns(ctx.db, provider, null, 1)]);
      const config = configs.find((row) => row.provider === provider);
      const own = linked.find((row) => row.provider === provider && row.portal === crm?.portal);
      return {
        provider,
        display_name: providerOf(provider).displayName,
        connected: crm !== null,
        account: crm?.portalName ?? null,
        config: config ? configOf(config) : null,
        linked: own?.linked ?? 0,
        last_run: last ? runOf(last) : null,
      };
    }),
  );
  return { crms };
});

/** The CRMs that are configured and connected. */
export async function syncedCrms(ctx: Pick<Ctx, "db">): Promise<string[]> {
  const [configs, connected] = await together([findConfigs(ctx.db), connectedProviders(ctx)]);
  return configs.map(({ provider }) => provider).filter((provider) => connected.includes(provider));
}
