import { readiness } from "#lib/db/readiness.ts";
import { document } from "#lib/http/plain.ts";

export const GET = document(async () => {
  const checks = await readiness();
  const ready = checks.database === "ok" && checks.migrations === "ok";
  return { status: ready ? 200 : 503, value: { status: ready ? "ready" : "not_ready", ...checks } };
});
