import { glob } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteHandler } from "./exchange.ts";

export type RouteEntry = { method: string; pattern: string; handler: RouteHandler };

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** next-auth's handler needs Next's own request; everything else is pure. */
const SERVED_BY_NEXT = ["app/api/auth/"];

/** `app/v2/people/[focus]/route.ts` answers `/v2/people/:focus`; `[...path]` matches the rest. */
const patternOf = (file: string): string =>
  `/${path
    .dirname(file)
    .split(path.sep)
    .slice(1)
    .filter((part) => !/^\(.*\)$/.test(part))
    .join("/")}`
    .replaceAll(/\[\.\.\.[^\]]+\]/g, "*")
    .replaceAll(/\[([^\]]+)\]/g, ":$1");

/** Loads every pure route handler of the app folder: the modules Next serves too, without Next. */
export async function loadRoutes(root: string): Promise<RouteEntry[]> {
  const files: string[] = [];
  for await (const file of glob("app/**/route.ts", { cwd: root })) files.push(file);
  const pure = files.filter((file) => !SERVED_BY_NEXT.some((prefix) => file.startsWith(prefix)));
  const loaded = await Promise.all(
    pure.map(async (file) => {
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
