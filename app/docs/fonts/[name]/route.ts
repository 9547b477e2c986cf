import { docsFont } from "#lib/openapi/fonts.ts";

export const GET = docsFont;
