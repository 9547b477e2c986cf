/**
 * Generates a client of the API with another tool that people use, `node generate.ts <openapi.json> <folder>`. It asks
 * TypeScript to print, which version 7 no longer does from JavaScript, so it gets the older one that is installed for it.
 */
import { readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import path from "node:path";

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context),
});

const [source = "", folder = ""] = process.argv.slice(2);
const document = JSON.parse(await readFile(source, "utf8"));

const { createClient } = await import("@hey-api/openapi-ts");
await createClient({
  input: document,
  output: { path: path.join(folder, "sdk"), module: { extension: ".ts" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  logs: { level: "silent", file: false },
});
