export { countTriggers } from "./queries.ts";
export {
  getTrigger,
  getTriggerDays,
  getTriggerDelivery,
  listTriggerDeliveries,
  listTriggerEvents,
  listTriggers,
  sendsPlainly,
} from "./service/read.ts";
export { replayTriggerDeliveries, replayTriggerDelivery, skipTriggerDelivery } from "./service/replay.ts";
export {
  deliver,
  type EndedAttempt,
  hasWork,
  type Round,
  runRound,
  sweepUnwanted,
} from "./service/rounds.ts";
export {
  changeTrigger,
  createTrigger,
  deleteTrigger,
  forgetInTriggers,
  resumeTrigger,
  rotateTriggerSecret,
} from "./service/save.ts";
export { testTrigger } from "./service/test.ts";
