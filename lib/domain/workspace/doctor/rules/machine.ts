/** What the doctor makes of the machine that the app runs on. */
import type { Disk } from "#lib/db/disk-space.ts";
import { counted, type Finding, failing, fine, listed, warning } from "./finding.ts";

const GB = 1e9;

const size = (bytes: number): string => `${(bytes / GB).toLocaleString("en", { maximumFractionDigits: 1 })} GB`;

export function ofDisk(folder: string, { free, total, freeFiles, files }: Disk): Finding {
  if (total === 0) return fine("disk", `The file system of ${folder} does not say how much space it has.`);
  const mend = `Make room on the disk that holds ${folder}, or move the folder to a larger one.`;
  if (files > 0 && freeFiles < files * 0.01)
    return failing("disk", `The disk has room for only ${counted(freeFiles, "more file", "more files")}.`, mend);
  if (free < 0.5 * GB) return failing("disk", `The disk has ${size(free)} left. Writes stop when it is full.`, mend);
  if (free < 10 * GB && free < total * 0.1)
    return warning("disk", `The disk has ${size(free)} of ${size(total)} left.`, mend);
  return fine("disk", `${size(free)} of ${size(total)} are free.`);
}

export function ofMemory(bytes: number): Finding {
  return bytes < 0.9 * GB
    ? warning("memory", `The app may use ${size(bytes)}.`, "Give it 1 GB or more: imports and the page build need it.")
    : fine("memory", `The app may use ${size(bytes)}.`);
}

/** `version`: of Node, such as 24.9.0. Only even numbers get security fixes for years. */
export function ofNode(version: string): Finding {
  const major = Number(version.split(".")[0]);
  return major % 2 === 1
    ? warning(
        "node",
        `Node ${version} gets security fixes for a few months only.`,
        "Use a Node with an even number, such as 24.",
      )
    : fine("node", `Node ${version}.`);
}

export const isOpenToOthers = (mode: number | null | undefined): boolean =>
  mode !== null && mode !== undefined && (mode & 0o077) !== 0;

/**
 * `mode`: the permissions of secrets.json; null when there is no such file, undefined where permissions say nothing. `problem`: why it
 * cannot be read.
 */
export function ofSecrets(file: string, mode: number | null | undefined, problem: string | null = null): Finding {
  if (mode === null)
    return warning(
      "secrets",
      `There is no ${file} yet. It is made at the first start.`,
      "Put the file of the installation there if you restored a backup; else start Rapport.",
    );
  if (isOpenToOthers(mode))
    return failing("secrets", `Other users of this machine may read ${file}.`, `chmod 600 ${file}`);
  if (problem !== null) return failing("secrets", problem, "Put the file of the installation there, from its copy.");
  return fine("secrets", `Only its owner reads ${file}.`);
}

/** `files`: what killed processes left in the data folder and the folder for temporary files. */
export const ofLeftovers = (files: readonly string[]): Finding =>
  files.length > 0
    ? warning(
        "leftovers",
        `${counted(files.length, "file or folder is", "files and folders are")} left of processes that were killed: ${listed(files, 5, "")}.`,
        "rapport doctor --fix removes them.",
      )
    : fine("leftovers", "No process that was killed left a file.");
