// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/sharing/contract.ts";

export const getMailShare = operationAt<typeof contract.getMailShare>("GET /mail-shares/:entity_id");
export const setMailCeiling = operationAt<typeof contract.setMailCeiling>("PATCH /mail-ceiling");
export const shareMailOf = operationAt<typeof contract.shareMailOf>("POST /mail-shares");
