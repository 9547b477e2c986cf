import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clusterFiles, logFiles } from "./cluster-files.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), "rapport-cluster-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

function put(...names: string[]) {
  for (const name of names) {
    mkdirSync(path.dirname(path.join(data, name)), { recursive: true });
    writeFileSync(path.join(data, name), "");
  }
}

test("a backup has tables and settings, the control file last, and nothing that a server makes anew", () => {
  put("PG_VERSION", "base/5/1259", "base/5/pg_internal.init", "base/pgsql_tmp/pgsql_tmp1.0", "global/pg_control");
  put("global/1262", "pg_wal/000000010000000000000001", "pg_replslot/one/state", "postmaster.pid", "backup_label.old");
  put("pg_xact/0000", "pg_subtrans/0000");
  const { files, folders } = clusterFiles(data);
  expect(files).toEqual(["PG_VERSION", "base/5/1259", "global/1262", "pg_xact/0000", "global/pg_control"]);
  expect(folders).toEqual(expect.arrayContaining(["base", "base/5", "pg_wal", "pg_replslot", "pg_wal/archive_status"]));
});

test("the log of a backup is from its first segment to its last, with the histories of timelines", () => {
  const segment = (n: number) => `00000001000000000000000${n}`;
  put(...[1, 2, 3, 4].map((n) => `pg_wal/${segment(n)}`), "pg_wal/00000002.history", "pg_wal/archive_status/x");
  expect(logFiles(data, segment(2), segment(3))).toEqual([
    `pg_wal/${segment(2)}`,
    `pg_wal/${segment(3)}`,
    "pg_wal/00000002.history",
  ]);
});
