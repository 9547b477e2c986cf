export {
  type BookingSignal,
  bookedSignals,
  cancelledSignals,
  type SupersededSlot,
  supersededSlot,
} from "./rules.ts";
export {
  beginBackfill,
  cancelBackfill,
  listBackfillContacts,
  listBackfills,
  resumeBackfill,
  startBackfill,
} from "./service/backfill.ts";
