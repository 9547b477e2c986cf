import path from "node:path";
import type { Env } from "#lib/settings/env.ts";
import type { OperatorError } from "#lib/settings/operator-error.ts";
import { watchDiskSpace } from "../disk-space.ts";
import { readPasswordFrom } from "../password-file.ts";
import { clusterHome, startEmbedded } from "./embedded.ts";
import { requireUsableDatabase } from "./probe.ts";
import { superviseEmbedded } from "./supervise.ts";

export interface OpenDatabase {
  url: string;
  /** The database itself, even when `url` is a pooler in front of it. */
  directUrl: string;
  /** May create databases and roles. Absent when `DATABASE_URL` names the database. */
  superuserUrl?: string;
  /** Where the database is, for a person to read; no password. */
  source: "DATABASE_URL" | "embedded";
  close(): Promise<void>;
}

export interface OpenOptions {
  env: Env;
  /** app: kept running; cli: shared with a running app or with other commands; test: its own, fast and not durable. */
  purpose: "app" | "cli" | "test";
  log?: (line: string) => void;
  /** The app's database died and cannot be brought back. */
  onLost?: (reason: OperatorError) => void;
}

/** The database of this installation: the one `DATABASE_URL` names, else the embedded one, started when it does not run. */
export async function openDatabase({
  env,
  purpose,
  log = () => undefined,
  onLost,
}: OpenOptions): Promise<OpenDatabase> {
  if (env.DATABASE_URL !== undefined) {
    readPasswordFrom(env.DATABASE_PASSWORD_FILE);
    const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct } = env;
    await requireUsableDatabase(direct ?? url, direct === undefined ? "DATABASE_URL" : "DATABASE_DIRECT_URL");
    return { url, directUrl: direct ?? url, source: "DATABASE_URL", close: async () => undefined };
  }
  const dataDir = purpose === "test" ? path.join(env.RAPPORT_DATA_DIR, "test") : env.RAPPORT_DATA_DIR;
  const server =
    purpose === "app"
      ? await superviseEmbedded({ dataDir, log, onLost: onLost ?? ((reason) => log(reason.message)) })
      : await startEmbedded({ dataDir, log, durable: purpose !== "test" });
  const stopWatching = watchDiskSpace(clusterHome(dataDir), log);
  return {
    url: server.url,
    directUrl: server.url,
    superuserUrl: server.superuserUrl,
    source: "embedded",
    close: () => {
      stopWatching();
      return server.stop();
    },
  };
}
