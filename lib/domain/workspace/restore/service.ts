export { restoreWorkspace } from "./service/restore.ts";
