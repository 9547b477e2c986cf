import { discovery } from "#lib/scim/endpoints.ts";

export const GET = discovery.resourceTypes();
