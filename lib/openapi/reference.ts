import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { handler } from "#lib/http/exchange.ts";
import { accepts } from "#lib/http/static-files.ts";

const load = createRequire(import.meta.url);

/** Part of the addresses of both files: a browser keeps them until there is another version. */
export const referenceVersion: string = load("swagger-ui-dist/package.json").version;

/** Swagger UI's bundle, as the installed package has it. */
export const referenceScript = fileOf(load.resolve("swagger-ui-dist/swagger-ui-bundle.js"), "text/javascript");

export const referenceStyle = fileOf(load.resolve("swagger-ui-dist/swagger-ui.css"), "text/css");

function fileOf(file: string, type: string) {
  let kept: Promise<{ plain: Buffer; small: Buffer }> | undefined;
  const read = async () => {
    const plain = await readFile(file);
    return { plain, small: await promisify(gzip)(plain, { level: 9 }) };
  };
  return handler(async ({ header }) => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined; // the next request tries again
      throw error;
    });
    const { plain, small } = await kept;
    const isSmall = accepts(header("accept-encoding") ?? "", "gzip");
    return {
      status: 200,
      headers: {
        "Content-Type": `${type}; charset=utf-8`,
        "Cache-Control": "public, max-age=31536000, immutable",
        Vary: "Accept-Encoding",
        ...(isSmall ? { "Content-Encoding": "gzip" } : {}),
      },
      body: isSmall ? small : plain,
    };
  });
}
