/**
 * Notices when the process that started this one is gone. npm runs a script through a shell: a supervisor's SIGTERM to
 * npm ends npm and the shell, and the script would keep running and keep the port. Plain JavaScript, since an older
 * Node reads it too.
 */
import { readFileSync } from "node:fs";

const shells = /^(sh|dash|bash|zsh|ash|ksh|busybox)$/;

/** @typedef {{ name: string, parent: number }} Process */

/**
 * Reads a process from /proc, where there is one; undefined elsewhere and for a process that ended.
 * @param {number} pid
 * @returns {Process | undefined}
 */
function readProcess(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1"); // <pid> (<name>) <state> <parent> …; a name may hold anything
    const [, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { name: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")), parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/**
 * Calls `gone` once when the parent ends; with a shell in between, also when the shell's parent does. Only under npm: a
 * server started by hand and left in the background is meant to keep running. @param {() => void} gone @param {{ npm?:
 * boolean, everyMs?: number }} [options]
 */
export function watchParents(gone, { npm = Boolean(process.env.npm_lifecycle_event), everyMs = 500 } = {}) {
  if (!npm) return;
  const parent = process.ppid;
  const first = parent === 1 ? readProcess(1) : undefined;
  if (first && !first.name.startsWith("npm")) return void setImmediate(gone); // the process ended before this line
  const shell = readProcess(parent);
  const grandparent = shell && shells.test(shell.name) ? shell.parent : undefined;
  const timer = setInterval(() => {
    const present =
      process.ppid === parent && (grandparent === undefined || readProcess(parent)?.parent === grandparent);
    if (present) return;
    clearInterval(timer);
    gone();
  }, everyMs);
  timer.unref();
}
