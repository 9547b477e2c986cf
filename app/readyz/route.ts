import { backupState } from "#lib/db/backup/status.ts";
import { readiness } from "#lib/db/readiness.ts";
import { pagesState } from "#lib/http/page-server.ts";
import { document } from "#lib/http/plain.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { workerState } from "#lib/worker/worker.ts";

export const GET = document(async () => {
  const checks = await readiness();
  const ready = checks.database === "ok" && checks.migrations === "ok";
  const { env } = getBoot();
  const worker = env.WORKER === "app" ? workerState() : "separate";
  return {
    status: ready ? 200 : 503,
    value: { status: ready ? "ready" : "not_ready", ...checks, worker, pages: pagesState(), backups: backupState(env) },
  };
});
