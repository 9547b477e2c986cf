import { appRoute } from "#lib/http/app-route.ts";

export const GET = appRoute();
export const POST = appRoute();
export const PATCH = appRoute();
export const DELETE = appRoute();
