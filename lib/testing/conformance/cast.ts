import { bodyLimit } from "#lib/core/operation.ts";
import type { Plan } from "#lib/core/plans.ts";
import { prefixOf } from "#lib/core/schema.ts";
import type { Operation } from "#lib/domain/implement.ts";
import type { UserOperation } from "#lib/domain/implement-user.ts";
import { operations } from "#lib/registry.ts";
import { inputOf, scenarioOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import type { As } from "./surface.ts";
import { type Schema, schemaOf } from "./wrong-values.ts";

/** Every operation of the registry with its name, for `describe.each`. */
export const everyOperation = operations.map((operation): [string, Operation] => [operation.contract.name, operation]);

export const publicOperations = everyOperation.filter(([, { contract }]) => contract.surface === "public");
export const appOperations = everyOperation.filter(([, { contract }]) => contract.surface === "app");
/** Operations that have a body. */
export const bodyOperations = everyOperation.filter(([, { contract }]) =>
  ["POST", "PATCH"].includes(contract.http.method),
);
export const postOperations = everyOperation.filter(([, { contract }]) => contract.http.method === "POST");

/** What a route's builder and the reader of requests tell apart: operations of one kind are treated alike before their service. */
function kindOf(operation: Kind): string {
  const { contract } = operation;
  const { method, body = {} } = contract.http;
  const { also = {} } = operation as Partial<Operation>;
  const { access = "" } = operation as Partial<UserOperation>;
  const filters = Object.keys(contract.input.shape).filter((name) => prefixOf(contract.input.shape[name]) !== null);
  const forms = [...Object.keys(body), ...filters, ...Object.keys(also)];
  return [contract.surface, access, method, bodyLimit(contract), ...forms].join(" ");
}

type Kind = Pick<Operation, "contract"> | Pick<UserOperation, "contract" | "access">;

/** The first operation of each kind: for what is decided by the builder of a route, the method or the form of the body. */
export const oneOfEachKind = <O extends Kind>(all: readonly (readonly [string, O])[]): (readonly [string, O])[] => [
  ...new Map(all.toReversed().map((one) => [kindOf(one[1]), one])).values(),
];

/** A workspace and someone who may do everything in it, on the operation's own surface: a key, or the owner's browser. */
export async function castOf({ contract }: Operation, plan: Plan = "scale"): Promise<{ stage: Stage; as: As }> {
  const stage = await createStage(plan);
  if (contract.surface === "public") return { stage, as: { key: await stage.key() } };
  return { stage, as: { cookie: (await stage.person("owner")).cookie, workspace: stage.id } };
}

const isId = ({ format, items, anyOf = [] }: Schema): boolean =>
  format === "uuid" || anyOf.some(isId) || (items !== undefined && isId(items));

/** Fields of the input that name a record, or several, by id; `focus` and the two of a merge may. */
export function namingFields({ contract }: Pick<Operation, "contract">): string[] {
  const { properties = {} } = schemaOf(contract);
  const named = ["focus", "keep", "drop"];
  return Object.keys(properties).filter((field) => named.includes(field) || isId(properties[field] as Schema));
}

/** True when a field takes a list of ids. */
export const isList = ({ contract }: Pick<Operation, "contract">, field: string): boolean =>
  schemaOf(contract).properties?.[field]?.type === "array";

/** The input of an operation with an id in one of its fields, and with what must come along with that field. */
export async function inputNaming(
  [name, operation]: readonly [string, Pick<Operation, "contract">],
  field: string,
  stage: Stage,
): Promise<{ input: Record<string, unknown>; naming(id: string): Record<string, unknown> }> {
  const all = { ...(await inputOf(name, stage)), ...scenarioOf(name).with?.[field] };
  const input = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return { input, naming: (id) => ({ ...input, [field]: isList(operation, field) ? [id] : id }) };
}
