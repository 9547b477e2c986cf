/**
 * Writes the types of the API, `node typescript.ts <openapi.json> <schema.ts>`, and which POSTs only read. The generator asks
 * TypeScript to print, which version 7 no longer does from JavaScript, so it gets the older one that is installed for it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context),
});

const [source = "", target = ""] = process.argv.slice(2);
const document = JSON.parse(await readFile(source, "utf8"));
const { default: openapiTypescript, astToString } = await import("openapi-typescript");

const posts = Object.entries(document.paths as Record<string, { post?: Record<string, unknown> }>);
const reading = posts.filter(([, { post }]) => post && post["x-required-scope"] === "read" && !post["x-with-approval"]);
const list = JSON.stringify(reading.map(([path]) => path));
const types = astToString(await openapiTypescript(document));
await writeFile(
  target,
  `${types}\n/** Such a POST changes nothing. */\nexport const readingPosts: readonly string[] = ${list};\n`,
);
