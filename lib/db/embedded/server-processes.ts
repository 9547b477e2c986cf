import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/** What a postmaster writes into `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  status: "starting" | "ready" | "stopping" | "standby" | "";
}

export function readPidFile(data: string): Postmaster | undefined {
  try {
    const lines = readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    const [pid, port, status] = [Number(lines[0]), Number(lines[3]), lines[7]?.trim() ?? ""];
    return Number.isInteger(pid) && pid > 0 ? { pid, port, status: status as Postmaster["status"] } : undefined;
  } catch {
    return undefined;
  }
}

/** True while a process of that id exists, no matter who owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !isZombie(pid);
}

/** A killed child of a process that does not reap (a container's first one) is still listed. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

/** True when the live process is a postmaster of this cluster and not another process with a recycled id. */
export function isPostmasterOf(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  const command = commandOf(pid);
  return command === undefined || (command.includes(data) && /postgres/.test(command));
}

function commandOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1");
    } catch {
      return undefined;
    }
  }
  if (process.platform === "win32") return undefined;
  return spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout || undefined;
}

/** Processes that a killed postmaster left behind: every Postgres process works inside the cluster's folder. */
export function leftBehind(data: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === data && /^postgres/.test(path.basename(readlinkSync(`/proc/${pid}/exe`)))
        );
      } catch {
        return false;
      }
    });
}

/** Sends a signal; a process that is gone already is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
