// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/meetings/contract.ts";

export const getMeeting = operationAt<typeof contract.getMeeting>("GET /v2/meetings/:id");
export const listMeetings = operationAt<typeof contract.listMeetings>("GET /v2/meetings");
export const shareMeeting = operationAt<typeof contract.shareMeeting>("PATCH /meetings/:id");
