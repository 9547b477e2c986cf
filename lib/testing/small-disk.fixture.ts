import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" });

/** Whether this process may mount file systems: root of the machine, and mostly not in a container. */
export function mayMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const disk = mountDisk(1);
  disk?.remove();
  return disk !== null;
}

/** A disk of so many megabytes, in memory, that nothing else writes to. Null where mounting is refused. */
export function mountDisk(megabytes: number): { folder: string; remove(): void } | null {
  const folder = mkdtempSync(path.join(tmpdir(), "rapport-disk-"));
  const { status } = run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", folder);
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    remove() {
      const { status: left, stderr } = run("umount", folder);
      if (left !== 0) throw new Error(`umount: ${stderr}`);
      rmSync(folder, { recursive: true });
    },
  };
}
