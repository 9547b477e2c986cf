import { glob } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteHandler } from "./exchange.ts";

export type RouteEntry = { method: string; pattern: string; handler: RouteHandler };

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * `app/v2/people/[focus]/route.ts` answers `/v2/people/:focus`; `[...path]` matches the rest. What a folder's name could not
 * say is percent-encoded, as for Next: `%2Ewell-known`, since tools skip folders that begin with a dot.
 */
const patternOf = (file: string): string =>
  `/${decodeURIComponent(
    path
      .dirname(file)
      .split(path.sep)
      .slice(1)
      .filter((part) => !/^\(.*\)$/.test(part))
      .join("/"),
  )}`
    .replaceAll(/\[\.\.\.[^\]]+\]/g, "*")
    .replaceAll(/\[([^\]]+)\]/g, ":$1");

/** Loads every pure route handler of the app folder; `route.next.ts` is Next's (next-auth needs its request). */
export async function loadRoutes(root: string): Promise<RouteEntry[]> {
  const files: string[] = []; // `.js` in what `npm run package` makes
  for await (const file of glob("app/**/route.{ts,js}", { cwd: root })) files.push(file);
  const loaded = await Promise.all(
    files.map(async (file) => {
      const module: Record<string, unknown> = await import(pathToFileURL(path.join(root, file)).href);
      return METHODS.filter((method) => typeof module[method] === "function").map((method) => {
        const handler = module[method] as RouteHandler;
        if (typeof handler.direct !== "function")
          throw new Error(`${file}: ${method} is not made with route() or handler()`);
        return { method, pattern: patternOf(file), handler };
      });
    }),
  );
  return loaded.flat();
}
