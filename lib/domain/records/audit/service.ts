export {
  byOperator,
  type Circumstances,
  listAudit,
  noteOfUser,
  notingRefusal,
  notingSignIns,
  recordAudit,
} from "./service/entries.ts";
export { countPushTries } from "./service/push.ts";
export { noteRead } from "./service/reads.ts";
export { type Finding, verifyChain } from "./service/verify.ts";
export type { AuditAction, UserAction } from "./words.ts";
