import type { CrmConnection } from "#lib/domain/integrations/connections/service.ts";
import { takeTurn } from "#lib/jobs/pace.ts";
import type { Crm } from "#lib/providers/crm.ts";
import { isProviderName, providerOf } from "#lib/providers/registry.ts";
import type { CrmRules } from "../contract.ts";
import type { RunRow } from "../queries/runs.ts";

/** What a step of a run needs. */
export type Work = { run: RunRow; connection: CrmConnection; rules: CrmRules; crm: Crm };

export const providerNameOf = (provider: string): string =>
  isProviderName(provider) ? providerOf(provider).displayName : provider;

/** Opens the portal, paced below the CRM's limits. */
export function openCrm({ connectionId, portal, address, token, crm }: CrmConnection): Crm {
  const turn = (kind: keyof typeof crm.pace) => takeTurn(`crm:${connectionId}`, crm.pace[kind]);
  return crm.open({ ...address, token, portal, turn });
}

/** Makes the portal ready to be written to; a dry run and a check write nothing. */
export async function prepare({ run, crm }: Work): Promise<void> {
  if (run.kind === "sync") await crm.prepare();
}
