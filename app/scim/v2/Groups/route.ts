import { groups } from "#lib/scim/endpoints.ts";

export const GET = groups.list();
export const POST = groups.add();
