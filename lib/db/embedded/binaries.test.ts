import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyBinaries } from "./binaries.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rapport-binaries-"));
  for (const part of ["bin", "lib", "include"]) mkdirSync(path.join(folder, "native", part), { recursive: true });
  writeFileSync(path.join(folder, "native/bin/postgres"), "a program");
  writeFileSync(path.join(folder, "native/lib/libpq.so"), "a library");
  writeFileSync(path.join(folder, "native/lib/libpq.a"), "only to build with");
  mkdirSync(path.join(folder, "shared"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const installed = () => ({ root: path.join(folder, "native"), version: "18.1.0", initdb: "", postgres: "" });

test("what runs is copied once for a release, and later starts use that copy", () => {
  const copy = copyBinaries(installed(), path.join(folder, "shared"));
  expect(readdirSync(path.join(copy.root, "lib"))).toEqual(["libpq.so"]);
  expect(existsSync(path.join(copy.root, "include"))).toBe(false);
  expect(existsSync(copy.postgres)).toBe(true);

  rmSync(path.join(folder, "native"), { recursive: true });
  expect(copyBinaries(installed(), path.join(folder, "shared"))).toEqual(copy);
});

test("several starts at once leave one copy", async () => {
  for (let file = 0; file < 300; file++)
    writeFileSync(path.join(folder, "native/lib", `${file}.so`), "x".repeat(2_000));
  const script = `
    const { copyBinaries } = await import(${JSON.stringify(path.resolve("lib/db/embedded/binaries.ts"))});
    while (Date.now() < ${Date.now() + 1_500}) {}
    copyBinaries(${JSON.stringify(installed())}, ${JSON.stringify(path.join(folder, "shared"))});`;
  const starts = [1, 2, 3].map(() =>
    spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "inherit" }),
  );
  expect((await Promise.all(starts.map((start) => once(start, "exit")))).map(([code]) => code)).toEqual([0, 0, 0]);
  expect(readdirSync(path.join(folder, "shared"))).toEqual(["native-18.1.0"]);
});
