export { ImportKind, ImportState } from "./contract/fields.ts";
export { type Column, exampleImport, Import, type Progress, type Warning } from "./contract/import.ts";
export { createImport, getImport, listImports, patchImport } from "./contract/prepare.ts";
export { type ImportRow, listImportRows, RowOutcome } from "./contract/rows.ts";
export { cancelImport, previewImport, runImport, undoImport } from "./contract/run.ts";
