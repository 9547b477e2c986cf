import { groups } from "#lib/scim/endpoints.ts";

export const GET = groups.get();
export const PUT = groups.replace();
export const PATCH = groups.change();
export const DELETE = groups.remove();
