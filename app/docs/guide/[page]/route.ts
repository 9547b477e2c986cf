import { guide } from "#lib/openapi/guide-page.ts";

export const GET = guide;
