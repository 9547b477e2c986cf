export {
  type Booking,
  type BookingSignal,
  bookedSignals,
  cancelledSignals,
  type SupersededSlot,
  supersededSlot,
} from "./rules.ts";
