export { redactDeliveries } from "./queries.ts";
export { retryDelivery } from "./service/again.ts";
export { getInboundDelivery, listInboundDeliveries, replayInboundDelivery } from "./service/log.ts";
export { endRetention, setInboundRetention } from "./service/retention.ts";
export { sendTestDelivery } from "./service/sample.ts";
export {
  hearClaim,
  type Inbox,
  type Letter,
  openInbox,
  requireProof,
  type Taken,
  takeIn,
  turnAway,
} from "./service/take-in.ts";
