export { worstOf } from "#lib/domain/workspace/checks/words.ts";
export { type DoctorOptions, examine } from "./service/examine.ts";
export { repair } from "./service/repair.ts";
