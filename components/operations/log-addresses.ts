// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/log-addresses/contract.ts";

export const getLogAddress = operationAt<typeof contract.getLogAddress>("GET /log-address");
export const renewLogAddress = operationAt<typeof contract.renewLogAddress>("POST /log-address");
