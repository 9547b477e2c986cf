export { correctActivity, removeActivity, restoreActivity } from "./service/amend.ts";
export { capture, captureBatch, captureSignal, captureSignals } from "./service/capture.ts";
export type { Captured, Signal } from "./service/ledger.ts";
export { recordSignals } from "./service/record.ts";
export { supersedeActivity } from "./service/supersede.ts";
