export { listAudit, noteOfUser, notingSignIns, recordAudit } from "./service/entries.ts";
export { countPushTries } from "./service/push-tries.ts";
export { type Finding, verifyChain } from "./service/verify.ts";
