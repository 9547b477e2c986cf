#!/usr/bin/env node
import { run } from "./runtime.mjs";

await run("rapport");
