export {
  correctActivity,
  hideActivities,
  removeActivity,
  restoreActivity,
  showActivities,
  showRecordedBefore,
} from "./service/amend.ts";
export { capture, captureBatch, captureSignals } from "./service/capture.ts";
export { recordSignals, type Signal, type SignalResult } from "./service/signals.ts";
export { supersedeActivity } from "./service/supersede.ts";
