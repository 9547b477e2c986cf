export { type TenantTable, tenantTables } from "./rules.ts";
export { eraseEntities, erasePerson, holdForErasure } from "./service/erase.ts";
export { type Export, openPersonExport, openWorkspaceExport, type RowCounts } from "./service/export.ts";
