import { tokens } from "#lib/oauth/endpoints.ts";

export const POST = tokens();
