// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/imports/contract.ts";

export const cancelImport = operationAt<typeof contract.cancelImport>("POST /v2/imports/:id/cancel");
export const createImport = operationAt<typeof contract.createImport>("POST /v2/imports");
export const getImport = operationAt<typeof contract.getImport>("GET /v2/imports/:id");
export const listImportRows = operationAt<typeof contract.listImportRows>("GET /v2/imports/:id/rows");
export const listImports = operationAt<typeof contract.listImports>("GET /v2/imports");
export const patchImport = operationAt<typeof contract.patchImport>("PATCH /v2/imports/:id");
export const previewImport = operationAt<typeof contract.previewImport>("POST /v2/imports/:id/preview");
export const runImport = operationAt<typeof contract.runImport>("POST /v2/imports/:id/run");
export const undoImport = operationAt<typeof contract.undoImport>("POST /v2/imports/:id/undo");
