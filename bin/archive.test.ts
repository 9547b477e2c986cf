import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { archiveOf } from "./archive.ts";
import { unpack } from "./unpack.mjs";

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);
const files: Record<string, Buffer> = {
  "package.json": Buffer.from("{}"),
  ".next/server/página.js": Buffer.from("export const a = 'ü';\n"),
  "node_modules/a/node_modules/b/index.js": Buffer.alloc(0),
  "public/picture.png": Buffer.from(Array.from({ length: 70_000 }, (_, place) => (place * 31) % 251)),
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rapport-archive-"));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(path.dirname(at("stage", name)), { recursive: true });
    writeFileSync(at("stage", name), bytes);
  }
  writeFileSync(at("program.br"), archiveOf(at("stage")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const parts = () => readdirSync(folder).filter((name) => name.startsWith("program.part-"));

test("what is unpacked is what was packed, byte by byte", () => {
  unpack(at("program.br"), at("program"));
  const names = readdirSync(at("program"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(at("program"), path.join(entry.parentPath, entry.name)));
  expect(names.sort()).toEqual(Object.keys(files).sort());
  for (const [name, bytes] of Object.entries(files)) expect(readFileSync(at("program", name)).equals(bytes)).toBe(true);
  expect(parts()).toEqual([]);
});

test("a program that is there is left as it is, without reading the archive", () => {
  mkdirSync(at("program"));
  unpack(at("missing.br"), at("program"));
  expect(readdirSync(at("program"))).toEqual([]);
});

test("a broken archive leaves nothing behind", () => {
  writeFileSync(at("program.br"), archiveOf(at("stage")).subarray(0, 200));
  expect(() => unpack(at("program.br"), at("program"))).toThrow();
  expect(readdirSync(folder).sort()).toEqual(["program.br", "stage"]);
});

test("what a killed process began is removed later, what another process is writing stays", () => {
  mkdirSync(at("program.part-1-1/bin"), { recursive: true });
  mkdirSync(at("program.part-2-2"));
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(at("program.part-1-1"), old, old);
  unpack(at("program.br"), at("program"));
  expect(parts()).toEqual(["program.part-2-2"]);
});
