import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { inProject } from "./project.ts";
import { fits } from "./runtime.mjs";

test.each([
  ["20.20.2", false],
  ["22.18.0", false],
  ["22.20.0", false],
  ["22.21.0", true],
  ["23.11.0", false],
  ["24.0.0", false],
  ["24.8.0", false],
  ["24.9.0", true],
  ["24.21.0", true],
  ["25.0.0", true],
])("Node %s can run Rapport: %s", (version, can) => {
  expect(fits(version)).toBe(can);
});

test("says what to run where the packages are not installed", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rapport-runtime-"));
  for (const name of ["runtime.mjs", "parents.mjs", "start.mjs"])
    cpSync(inProject(`bin/${name}`), path.join(folder, name));
  const missing = "a-package-that-is-missing";
  writeFileSync(path.join(folder, "start.ts"), `await import("${missing}");\n`);
  const { status, stderr } = spawnSync(process.execPath, [path.join(folder, "start.mjs")], { encoding: "utf8" });
  expect(stderr).toMatch(/a-package-that-is-missing.*\nRun npm ci first\.\n$/);
  expect(status).toBe(1);
  rmSync(folder, { recursive: true });
});
