import { protectedResource } from "#lib/oauth/metadata.ts";

export const GET = protectedResource();
