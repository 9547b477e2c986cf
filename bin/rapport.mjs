#!/usr/bin/env node
import module from "node:module";
import { fileURLToPath } from "node:url";
import { run } from "./runtime.mjs";

// A command reads what the one before it compiled; the variable is for the other Node, where this one is too old.
const [command] = process.argv.slice(2);
if (command !== undefined && command !== "start" && command !== "worker") {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/rapport/code", import.meta.url));
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

await run("rapport");
