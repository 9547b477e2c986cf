export { eraseEntities, erasePerson } from "./service/erase.ts";
export { type Exported, exportWorkspace } from "./service/export.ts";
