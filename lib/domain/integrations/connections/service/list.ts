import { together } from "#lib/core/together.ts";
import { implement } from "#lib/domain/implement.ts";
import { providerOf } from "#lib/providers/registry.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { findConnection, findConnections, findCreatorName, findRefusals } from "../queries.ts";
import { addressProblem, turnedAwayOf } from "../rules.ts";
import { integrationOf } from "../serialize.ts";
import { requireProvider } from "./asking.ts";
import { serverSecretOf } from "./sealed.ts";
import { receivingUrl } from "./webhook.ts";

export const listIntegrations = implement(contract.listIntegrations, async ({ db }) => {
  const [rows, refusals] = await together([findConnections(db), findRefusals(db)]);
  const integrations = contract.providers.map((provider) =>
    integrationOf(provider, rows.find((row) => row.provider === provider) ?? null, refusals),
  );
  return { integrations };
});

export const getIntegration = implement(contract.getIntegration, async ({ db, workspaceId }, input) => {
  const provider = requireProvider(input.provider);
  const [row, refusals] = await together([findConnection(db, provider), findRefusals(db)]);
  const secretOfServer = serverSecretOf(provider) !== null;
  return {
    ...integrationOf(provider, row, refusals),
    turned_away: turnedAwayOf(provider, refusals)?.count ?? 0,
    name: row && (row.name ?? providerOf(provider).displayName),
    account: row?.portalName ?? null,
    connected_at: row && formatTime(row.createdAt),
    connected_by: row && (await findCreatorName(db, row.createdBy)),
    webhook_url: providerOf(provider).deliveries === "none" ? null : receivingUrl(provider, workspaceId),
    address_problem: addressProblem(provider, receivingUrl(provider, workspaceId)),
    secret_from: row?.signingSecret ? ("connection" as const) : secretOfServer ? ("server" as const) : null,
    synced_at: row?.reconciledTo ? formatTime(row.reconciledTo) : null,
  };
});
