import { apiReferenceScript } from "#lib/openapi/page.ts";

export const GET = apiReferenceScript;
