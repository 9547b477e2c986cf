import type { Maintenance } from "#lib/jobs/handler.ts";
import { sweepApprovals } from "./service/end.ts";

export const maintenance: readonly Maintenance[] = [{ name: "approvals", step: sweepApprovals }];
