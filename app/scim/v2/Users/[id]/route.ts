import { users } from "#lib/scim/endpoints.ts";

export const GET = users.get();
export const PUT = users.replace();
export const PATCH = users.change();
export const DELETE = users.remove();
