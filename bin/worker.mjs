/** Runs `npm run worker`, also when started by hand with an older Node. */
import { run } from "./runtime.mjs";

await run("worker");
