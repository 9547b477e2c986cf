import type { CrmAccount } from "#lib/domain/integrations/connections/service.ts";
import { takeTurn } from "#lib/jobs/pace.ts";
import type { Crm } from "#lib/providers/crm.ts";
import { isProviderName, providerOf } from "#lib/providers/registry.ts";
import type { CrmRules } from "../contract.ts";
import type { RunRow } from "../queries/runs.ts";

/** What a step of a run needs. */
export type Work = { run: RunRow; account: CrmAccount; rules: CrmRules; crm: Crm };

export const providerNameOf = (provider: string): string =>
  isProviderName(provider) ? providerOf(provider).displayName : provider;

/** Opens the account, paced below the CRM's limits. */
export function openCrm({ connectionId, account, address, token, crm }: CrmAccount): Crm {
  const turn = (kind: keyof typeof crm.pace) => takeTurn(`crm:${connectionId}`, crm.pace[kind]);
  return crm.open({ ...address, token, account, turn });
}

/** Makes the account ready to be written to; a dry run and a check write nothing. */
export async function prepare({ run, crm }: Work): Promise<void> {
  if (run.kind === "sync") await crm.prepare();
}
