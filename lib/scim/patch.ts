import { patchBodyValidation, type ScimPatch, type ScimPatchOperation, type ScimResource, scimPatch } from "scim-patch";
import { Fault } from "#lib/core/errors.ts";
import type { Resource } from "./resources.ts";

/** Names through which a path would reach what every object shares. */
const SHARED = /\b(__proto__|prototype|constructor)\b/;

/** The resource as a patch makes it (RFC 7644, 3.5.2). Throws 400 `invalid_directory_patch`. */
export function patched(resource: Resource, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const patch = body as unknown as ScimPatch;
  const text = JSON.stringify(body.Operations ?? null);
  if (SHARED.test(text)) throw refused("a path is not allowed.");
  try {
    patchBodyValidation(patch);
    const operations = (patch.Operations as ScimPatchOperation[]).flatMap(byValue);
    return scimPatch(resource as unknown as ScimResource, operations, { mutateDocument: false }) as unknown as Record<
      string,
      unknown
    >;
  } catch (error) {
    throw refused((error as Error).message);
  }
}

/**
 * Entra ID removes members by what they look like in its eyes, `[{"$ref": null, "value": "<id>"}]`, where only the id counts: each
 * becomes a removal by a filter, as the standard has it.
 */
function byValue(operation: ScimPatchOperation): ScimPatchOperation[] {
  const { op, path, value } = operation as { op: string; path?: string; value?: unknown };
  if (op.toLowerCase() !== "remove" || !path || !Array.isArray(value)) return [operation];
  return value.map((item: { value?: unknown }) => ({
    op: "remove",
    path: `${path}[value eq ${JSON.stringify(String(item.value))}]`,
  }));
}

const refused = (why: string) =>
  new Fault("invalid_directory_patch", { parameter: "Operations" }, `Operations: ${why}`);
