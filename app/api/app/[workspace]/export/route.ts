import { exportRoute } from "#lib/http/export-route.ts";

export const GET = exportRoute();
