export { cancelImport, getImport, patchImport, previewImport, runImport, undoImport } from "./service/change.ts";
export { forgetInImports } from "./service/forget.ts";
export { listImportRows, listImports } from "./service/list.ts";
export { createImport } from "./service/upload.ts";
