import { scim, users } from "#lib/scim/endpoints.ts";

export const GET = scim(users.list);
export const POST = scim(users.add);
