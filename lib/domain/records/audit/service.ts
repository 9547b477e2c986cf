export {
  byOperator,
  type Circumstances,
  listAudit,
  noteOfUser,
  notingSignIns,
  recordAudit,
} from "./service/entries.ts";
export { countPushTries } from "./service/push.ts";
export { type Finding, verifyChain } from "./service/verify.ts";
