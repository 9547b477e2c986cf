/** `npm start` and `npm run dev`. */
import "./heap.ts";
import module from "node:module";
import { parseArgs } from "node:util";
import { inProject, packaged } from "./project.ts";

const usage = packaged ? "Usage: rapport start [--port <n>]" : "Usage: npm start -- [--port <n>] [--dev]";

function readArguments() {
  try {
    return parseArgs({
      options: { dev: { type: "boolean" }, port: { type: "string" }, help: { type: "boolean", short: "h" } },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}

const { dev, port, help } = readArguments();
if (help) process.stdout.write(`${usage}\n`);
else {
  // Before the first import of the app: the next start then reads compiled code.
  module.enableCompileCache(inProject("node_modules/.cache/rapport/code"));
  const { launch } = await import("./launch.ts");
  await launch({ dev, port });
}
