import { originOf } from "#lib/http/origin.ts";
import { document } from "#lib/http/plain.ts";
import { openApiDocument } from "#lib/openapi/document.ts";

export const GET = document(async (exchange) => ({ status: 200, value: openApiDocument(originOf(exchange)) }));
