import { byApiKey } from "#lib/http/answer.ts";
import { exportFileRoute } from "#lib/http/export-file-route.ts";

export const GET = exportFileRoute(byApiKey);
