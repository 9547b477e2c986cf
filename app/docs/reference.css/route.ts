import { referenceStyle } from "#lib/openapi/reference.ts";

export const GET = referenceStyle;
