import { connectedToCrm } from "#lib/domain/integrations/connections/service.ts";
import { handles, type Maintenance } from "#lib/jobs/handler.ts";
import { beginCheck, checking, lookForChanges, looking, maintainCrmSync } from "./service/auto.ts";
import { runSync } from "./service/run.ts";
import { resumeRuns } from "./service/runs.ts";

export const jobs = [
  runSync,
  handles(looking, lookForChanges),
  handles(checking, beginCheck),
  handles(connectedToCrm, resumeRuns),
];

export const maintenance: readonly Maintenance[] = [{ name: "CRM sync", step: maintainCrmSync }];
