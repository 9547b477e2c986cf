import { revocation } from "#lib/oauth/endpoints.ts";

export const POST = revocation();
