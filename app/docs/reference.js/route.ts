import { referenceScript } from "#lib/openapi/reference.ts";

export const GET = referenceScript;
