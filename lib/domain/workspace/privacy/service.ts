export { type TenantTable, tenantTables } from "./rules.ts";
export { eraseEntities, erasePerson, holdForErasure } from "./service/erase.ts";
export { type Export, type Exported, openPersonExport, openWorkspaceExport } from "./service/export.ts";
