/** The places where a secret must not be. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, trace } from "@opentelemetry/api";
import { inspect } from "./database.ts";

/** A collector of traces on this machine, from before a server starts until `stop`. */
export async function collectTraces() {
  const traces: string[] = [];
  const collector = createServer(async (request, response) => {
    for await (const chunk of request) traces.push(String(chunk));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    text: () => traces.join("\n"),
    async stop() {
      trace.disable();
      context.disable();
      collector.closeAllConnections();
      await new Promise((resolve) => collector.close(resolve));
    },
  };
}

/** All rows of all tables, those of jobs too. */
export async function stored(): Promise<string> {
  const tables = await inspect<{ name: string }>(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')",
  );
  const texts: unknown[] = [];
  for (const { name } of tables) texts.push(await inspect(`SELECT t::text AS row FROM ${name} t`));
  return JSON.stringify(texts);
}

/** What everyone on the machine may read of every process. */
export const processes = (): string =>
  process.platform === "linux"
    ? readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => {
          try {
            return readFileSync(`/proc/${pid}/cmdline`, "utf8");
          } catch {
            return ""; // it has ended meanwhile
          }
        })
        .join("\n")
    : "";

/** Which secret is in which place. */
export const leaksOf = (
  secrets: Readonly<Record<string, string>>,
  places: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [`${name} is in ${place}`] : [])),
  );
