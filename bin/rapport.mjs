#!/usr/bin/env node
import module from "node:module";
import { fileURLToPath } from "node:url";
import { run } from "./runtime.mjs";

// Before the first import of our code: the next command then reads what this one compiled.
const [command] = process.argv.slice(2);
if (command !== undefined && command !== "start" && command !== "worker")
  module.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/rapport/code", import.meta.url)));

await run("rapport");
