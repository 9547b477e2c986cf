import { registration } from "#lib/oauth/endpoints.ts";

export const POST = registration();
