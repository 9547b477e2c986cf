import { userInfo } from "node:os";

/** The user of the operating system that runs the command, for the audit log: its name, else its number. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under an id that no user has.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
