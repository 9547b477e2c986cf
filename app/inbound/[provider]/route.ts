import { inbound } from "#lib/inbound/route.ts";

/** The workspace is named in the query: `?workspace_id=`. */
export const POST = inbound();
