import { type Dirent, readdirSync } from "node:fs";
import path from "node:path";

/**
 * Folders whose files a server makes anew. Source: "Excluded files" in Postgres' manual, Making a Base Backup Using the
 * Low Level API.
 */
const REMADE = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;
const TEMPORARY = /^(pgsql_tmp.*|pg_internal\.init.*|postmaster\.(pid|opts)|backup_label.*|tablespace_map.*)$/;
/** Copied last: it says where recovery may begin. */
const CONTROL = "global/pg_control";

export type ClusterFiles = { folders: string[]; files: string[] };

/** What of a cluster's folder belongs into a backup, relative to it with `/`. */
export function clusterFiles(data: string): ClusterFiles {
  const folders: string[] = [];
  const files: string[] = [];
  const visit = (folder: string) => {
    let entries: Dirent[];
    try {
      entries = readdirSync(path.join(data, folder), { withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && folder !== "") return; // dropped meanwhile
      throw error;
    }
    if (folder !== "") folders.push(folder);
    for (const entry of entries) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (TEMPORARY.test(entry.name)) continue;
      if (entry.isDirectory()) {
        if (REMADE.test(name)) folders.push(name);
        else visit(name);
      } else if (entry.isFile() && name !== CONTROL) files.push(name);
    }
  };
  visit("");
  folders.push("pg_wal/archive_status", "pg_wal/summaries");
  return { folders, files: [...files.sort(), CONTROL] };
}

const SEGMENT = /^[0-9A-F]{24}$/;

/** The files of the write-ahead log from one segment to another, and the histories of timelines. */
export const logFiles = (data: string, from: string, to: string): string[] =>
  readdirSync(path.join(data, "pg_wal"))
    .filter((name) => (SEGMENT.test(name) ? name >= from && name <= to : /^[0-9A-F]{8}\.history$/.test(name)))
    .sort()
    .map((name) => `pg_wal/${name}`);
