export {
  cancelExport,
  createExport,
  deleteExport,
  forgetInExports,
  getExport,
  listExports,
} from "./service/exports.ts";
export { type ExportFile, openExportFile } from "./service/file.ts";
