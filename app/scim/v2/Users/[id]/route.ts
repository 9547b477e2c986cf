import { scim, users } from "#lib/scim/endpoints.ts";

export const GET = scim(users.get);
export const PUT = scim(users.replace);
export const PATCH = scim(users.change);
export const DELETE = scim(users.remove);
