import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { revive, runSync } from "./service/sync.ts";

export const jobs: readonly JobHandler[] = [runSync];
export const maintenance: readonly Maintenance[] = [revive];
