import { llmsFull } from "#lib/openapi/guide-page.ts";

export const GET = llmsFull;
