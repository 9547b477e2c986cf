import type { Fill } from "../command.ts";
import { addAuditCommands } from "./audit.ts";
import { addBackupCommands } from "./backup.ts";
import { addImport } from "./import.ts";
import { addKeyCommands } from "./key.ts";
import { addPrivacyCommands } from "./privacy.ts";
import { addRebuild } from "./rebuild.ts";
import { addRotateEncryption } from "./rotate-encryption.ts";
import { addUserCommands } from "./user.ts";
import { addWorkspaceCommands } from "./workspace.ts";

export const fill: Fill = (admin, perform) => {
  addWorkspaceCommands(admin, perform);
  addKeyCommands(admin, perform);
  addUserCommands(admin, perform);
  addRotateEncryption(admin, perform);
  addRebuild(admin, perform);
  addPrivacyCommands(admin, perform);
  addImport(admin, perform);
  addBackupCommands(admin, perform);
  addAuditCommands(admin, perform);
};
