import { users } from "#lib/scim/endpoints.ts";

export const GET = users.list();
export const POST = users.add();
