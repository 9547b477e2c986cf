export { correctActivity, removeActivity, restoreActivity } from "./service/amend.ts";
export { capture, captureBatch, captureSignals } from "./service/capture.ts";
export type { Signal, SignalResult } from "./service/signals.ts";
export { supersedeActivity } from "./service/supersede.ts";
