export { configureCrmSync, getCrmSync, syncedCrms } from "./service/configure.ts";
export { cancelCrmRun, getCrmRun, listCrmRuns, syncCrmNow } from "./service/runs.ts";
