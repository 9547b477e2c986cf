/** Writes `.env.example` from the variables declared in `lib/settings/env.ts`. */
import { writeFileSync } from "node:fs";
import { envExample } from "#lib/settings/env-example.ts";
import { inProject } from "./project.ts";

writeFileSync(inProject(".env.example"), envExample());
