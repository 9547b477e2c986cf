import { groups, scim } from "#lib/scim/endpoints.ts";

export const GET = scim(groups.get);
export const PUT = scim(groups.replace);
export const PATCH = scim(groups.change);
export const DELETE = scim(groups.remove);
