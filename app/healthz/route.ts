import { document } from "#lib/http/plain.ts";

export const GET = document(async () => ({
  status: 200,
  value: { status: "ok", uptime_seconds: Math.round(process.uptime()) },
}));
