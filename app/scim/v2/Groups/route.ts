import { groups, scim } from "#lib/scim/endpoints.ts";

export const GET = scim(groups.list);
export const POST = scim(groups.add);
