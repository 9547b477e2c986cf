import { apiReference } from "#lib/openapi/page.ts";

export const GET = apiReference;
