import { inbound } from "#lib/inbound/route.ts";

export const POST = inbound();
