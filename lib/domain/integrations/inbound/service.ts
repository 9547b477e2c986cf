export { lockDeliveries } from "./queries.ts";
export { retryDelivery } from "./service/again.ts";
export { redactDeliveries } from "./service/erase.ts";
export {
  countUnmatched,
  getInboundDays,
  getInboundDelivery,
  listInboundDeliveries,
  replayInboundDelivery,
} from "./service/log.ts";
export { endRetention, setInboundRetention } from "./service/retention.ts";
export { sendTestDelivery } from "./service/sample.ts";
export {
  type DeliveryAnswer,
  type Inbox,
  type Letter,
  openInbox,
  requireProof,
  takeIn,
  takeSignature,
  turnAway,
} from "./service/take-in.ts";
