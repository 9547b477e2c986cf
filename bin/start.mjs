/** `bin/start.ts` for whoever starts it by hand with an older Node. */
import { run } from "./runtime.mjs";

await run("start");
