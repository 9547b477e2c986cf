import type { ErrorCode } from "#lib/core/errors.ts";
import { errorResponses, type Json } from "./responses.ts";

const own: readonly ErrorCode[] = ["export_not_found", "export_not_ready", "export_expired", "range_not_satisfiable"];
const codes: readonly ErrorCode[] = [
  "unauthorized",
  "insufficient_scope",
  "beyond_limits",
  "ip_not_allowed",
  ...own,
  "rate_limited",
  "internal_error",
  "not_ready",
];

const file: Json = { schema: { type: "string", format: "binary" } };
const content: Json = { "text/csv": file, "application/x-ndjson": file };

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
});

/** The download of an export; no operation, because it answers a file. */
export const exportPaths = (): Record<string, Json> => ({
  "/v2/exports/{id}/file": {
    get: {
      operationId: "getExportFile",
      tags: ["Exports"],
      summary: "Download the file of an export",
      description:
        "A download that broke off goes on with `Range: bytes=<from>-`, and `If-Range` with the `ETag` of the first answer: then the rest is sent only if it is still the same file.",
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          description: "Of the export.",
          schema: { type: "string", format: "uuid" },
        },
        header("Range", "One range of bytes, such as `bytes=1048576-`; several are answered with the whole file."),
        header("If-Range", "The `ETag` of the file that the range is of."),
      ],
      responses: {
        "200": { description: "The whole file.", content },
        "206": { description: "The part that was asked for; `Content-Range` says which.", content },
        ...errorResponses(codes, own),
      },
      "x-error-codes": codes,
    },
  },
});
