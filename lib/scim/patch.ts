import { patchBodyValidation, type ScimPatch, type ScimPatchOperation, type ScimResource, scimPatch } from "scim-patch";
import { Fault } from "#lib/core/errors.ts";
import { namedAsKnown, type Resource } from "./resources.ts";

/** Names through which a path would reach what every object shares. */
const SHARED = /\b(__proto__|prototype|constructor)\b/;
const MOST_OPERATIONS = 1_000;
/** The library reads a path in time that grows with the square of its length. */
const MOST_CHARACTERS = 300;

type Operation = { op: string; path?: string; value?: unknown };
type Item = { value: unknown };

/** The resource as a patch makes it (RFC 7644, 3.5.2). Throws 400 `invalid_directory_patch`. */
export function patched(resource: Resource, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const body = namedAsKnown(sent);
  const operations = body.Operations;
  if (!Array.isArray(operations) || operations.length > MOST_OPERATIONS)
    throw refused(`give up to ${MOST_OPERATIONS.toLocaleString("en")}.`);
  try {
    patchBodyValidation(body as unknown as ScimPatch);
    const changed = structuredClone(resource) as Record<string, unknown>;
    for (const operation of (operations as Operation[]).flatMap(byAttribute)) {
      requireSafe(operation);
      if (changeMembers(changed, operation)) continue;
      // A replacement of what is not there adds it, as Entra ID expects.
      scimPatch(changed as unknown as ScimResource, [operation as ScimPatchOperation], {
        mutateDocument: true,
        treatMissingAsAdd: true,
      });
    }
    return changed;
  } catch (error) {
    throw error instanceof Fault ? error : refused((error as Error).message);
  }
}

/** An operation without a path names attributes in its value: each becomes one of its own, by the name that is known here. */
function byAttribute(operation: Operation): Operation[] {
  const { op, path, value } = operation;
  if (path !== undefined || typeof value !== "object" || value === null || Array.isArray(value)) return [operation];
  return Object.entries(namedAsKnown(value as Record<string, unknown>)).map(([name, each]) =>
    name.startsWith("urn:") ? { op, value: { [name]: each } } : { op, path: name, value: each },
  );
}

function requireSafe({ path = "", value }: Operation): void {
  if (path.length > MOST_CHARACTERS) throw refused(`a path has more than ${MOST_CHARACTERS} characters.`);
  if (SHARED.test(path) || hasSharedKey(value)) throw refused("a path is not allowed.");
}

const hasSharedKey = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([name, each]) => SHARED.test(name) || hasSharedKey(each));

const ONE_MEMBER = /^members\[value eq "([^"]*)"\]$/i;

/**
 * Changes of the members of a group, which may be tens of thousands: by their ids, in one pass. Entra ID removes them by their looks,
 * `[{"$ref": null, "value": "<id>"}]`, where only the id counts. False for any other operation.
 */
function changeMembers(group: Record<string, unknown>, { op, path = "", value }: Operation): boolean {
  const verb = op.toLowerCase();
  const one = ONE_MEMBER.exec(path)?.[1];
  const isOne = one !== undefined && verb === "remove";
  if (!isOne && path.toLowerCase() !== "members") return false;
  const before = (Array.isArray(group.members) ? group.members : []) as Item[];
  const given = isOne ? [{ value: one }] : value === undefined ? null : ([value].flat() as Item[]);
  if (given?.some((item) => typeof item !== "object" || item === null))
    throw refused("members are objects with a value.");
  const ids = new Set(given?.map((item) => String(item.value)));
  const others = before.filter((item) => !ids.has(String(item.value)));
  if (verb === "remove") group.members = given === null ? [] : others;
  else group.members = verb === "add" ? [...others, ...(given ?? [])] : (given ?? []);
  return true;
}

const refused = (why: string) =>
  new Fault("invalid_directory_patch", { parameter: "Operations" }, `Operations: ${why}`);
