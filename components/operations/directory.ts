// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/directory/contract.ts";

export const getDirectory = operationAt<typeof contract.getDirectory>("GET /directory");
export const setGroupRole = operationAt<typeof contract.setGroupRole>("PATCH /directory/groups/:id");
