export {
  type Captured,
  type CapturedSignal,
  capture,
  captureBatch,
  captureSignal,
  captureSignals,
} from "./service/capture.ts";
export { recordObservations } from "./service/observe.ts";
export { supersedeActivity } from "./service/supersede.ts";
