import { mcp } from "#lib/mcp/route.ts";

export const POST = mcp();
