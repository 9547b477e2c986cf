import { backchannelLogout } from "#lib/oauth/endpoints.ts";

export const POST = backchannelLogout();
