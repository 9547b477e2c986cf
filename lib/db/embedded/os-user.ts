import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";

/** The user and group a Postgres process runs as. */
export interface OsUser {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/** The user that every Unix has for processes without files of their own. */
export function nobody(): OsUser {
  try {
    const [, , uid, gid] =
      readFileSync("/etc/passwd", "utf8")
        .split("\n")
        .find((line) => line.startsWith("nobody:"))
        ?.split(":") ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  } catch {
    // No password file (a scratch container): uses the usual numbers.
  }
  return { uid: 65_534, gid: 65_534 };
}

/** The owner of a folder that exists, unless that is root. */
export function ownerOf(folder: string): OsUser | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

const mayPass = ({ mode, uid, gid }: Stats, user: OsUser): boolean =>
  (mode & (uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001)) !== 0;

/** True when the user may walk the whole path down to an existing folder. */
export function canReach(folder: string, user: OsUser): boolean {
  for (let at = realpathSync(folder); ; at = path.dirname(at)) {
    if (!mayPass(statSync(at), user)) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** True when the user can start the program. */
export const canRun = (program: string, user: OsUser): boolean =>
  spawnSync(program, ["--version"], { ...user, cwd: "/", stdio: "ignore" }).status === 0;
