import { exportFileRoute } from "#lib/http/export-file-route.ts";
import { byDownload } from "#lib/http/session.ts";

export const GET = exportFileRoute(byDownload);
