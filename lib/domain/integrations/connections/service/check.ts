import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { implementAlone } from "#lib/domain/implement.ts";
import { addressOf } from "#lib/providers/endpoints.ts";
import { providerOf } from "#lib/providers/registry.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { checkIntegration as contract } from "../contract.ts";
import { findConnection, markTrouble, markWell } from "../queries.ts";
import { adviceOf } from "../rules.ts";
import { faultOf, requireProvider } from "./asking.ts";
import { tellChanged } from "./changed.ts";
import { openCredentials } from "./sealed.ts";

/** Asks outside a transaction. A provider that does not answer says nothing about the credentials. */
export const checkIntegration = implementAlone(contract, async ({ workspaceId }, input) => {
  const provider = requireProvider(input.provider);
  const row = await withWorkspace(workspaceId, (db) => findConnection(db, provider), { readOnly: true });
  if (!row) throw new Fault("not_connected", { provider });
  const description = providerOf(provider);
  try {
    const { name } = await description.ask(addressOf(description), openCredentials(row));
    await withWorkspace(workspaceId, async (db) => {
      await markWell(db, provider);
      tellChanged({ db, workspaceId });
    });
    return { ok: true as const, account: name };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    if (error.trouble === "refused")
      await withWorkspace(workspaceId, async (db) => {
        const message = adviceOf(provider, "The connection was tested", error);
        await markTrouble(db, row.id, { message, refused: true, webhook: false });
        tellChanged({ db, workspaceId });
      });
    throw faultOf(provider, error);
  }
});
