import { llms } from "#lib/openapi/guide-page.ts";

export const GET = llms;
