// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/directory/contract.ts";

export const addDirectoryGroup = operationAt<typeof contract.addDirectoryGroup>("POST /directory/groups");
export const followGroups = operationAt<typeof contract.followGroups>("PATCH /directory/sign-in");
export const getDirectory = operationAt<typeof contract.getDirectory>("GET /directory");
export const removeDirectoryGroup = operationAt<typeof contract.removeDirectoryGroup>("DELETE /directory/groups/:id");
export const setGroupRole = operationAt<typeof contract.setGroupRole>("PATCH /directory/groups/:id");
