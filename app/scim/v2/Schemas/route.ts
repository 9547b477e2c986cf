import { discovery, scim } from "#lib/scim/endpoints.ts";

export const GET = scim(discovery.schemas);
