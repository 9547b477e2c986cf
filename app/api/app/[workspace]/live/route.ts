import { liveRoute } from "#lib/http/live-route.ts";

export const GET = liveRoute();
