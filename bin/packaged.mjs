#!/usr/bin/env node
/** The command of a package: unpacks the program at the installation, else at its first start, and runs it. */
import { fileURLToPath } from "node:url";
import { unpack } from "./unpack.mjs";

const [archive, program] = ["./program.br", "./program"].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const installing = process.env.npm_lifecycle_event === "postinstall";
try {
  unpack(archive, program);
} catch (error) {
  // An installation goes on: the first start by someone who may write here tries again.
  process.stderr.write(
    `Rapport could not unpack itself into ${program}: ${error.message}\nRun rapport --version once as the user who owns that folder.\n`,
  );
  process.exit(installing ? 0 : 1);
}
if (!installing) await import(new URL("./program/bin/rapport.mjs", import.meta.url).href);
