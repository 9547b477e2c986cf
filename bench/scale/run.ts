/**
 * Exercises several machines: `DATABASE_URL=… node bench/scale/run.ts`, see README.md beside this. It fills the
 * database it is given. Exits with 1 when something failed.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "../..");

const { values } = parseArgs({
  options: {
    /** shell commands that stop a machine and start it again, one after the other; may be repeated */
    strike: { type: "string", multiple: true, default: [] },
    seconds: { type: "string", default: "5" },
  },
});

process.env.LOG_LEVEL ??= "silent";
execFileSync(process.execPath, ["bin/test.ts", "--only", "generate"], { cwd: root });
const { exercise } = await import("./exercise.ts"); // needs what was generated
process.exit(await exercise({ strikes: values.strike, seconds: Number(values.seconds) }));
