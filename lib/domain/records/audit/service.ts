export { listAudit, noteOfUser, notingSignIns, recordAudit } from "./service/entries.ts";
export { type Finding, verifyChain } from "./service/verify.ts";
