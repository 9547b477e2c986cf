import { authorizationServer } from "#lib/oauth/metadata.ts";

export const GET = authorizationServer();
