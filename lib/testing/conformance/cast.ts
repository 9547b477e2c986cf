import type { Plan } from "#lib/core/plans.ts";
import { isPropertyFilter } from "#lib/core/schema.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { operations } from "#lib/registry.ts";
import { createStage, type Stage } from "./stage.ts";
import type { As } from "./surface.ts";
import { schemaOf } from "./wrong-values.ts";

/** Every operation of the registry with its name, for `describe.each`. */
export const everyOperation = operations.map((operation): [string, Operation] => [operation.contract.name, operation]);

type Named = (typeof everyOperation)[number];

export const publicOperations = everyOperation.filter(([, { contract }]) => contract.surface === "public");
export const appOperations = everyOperation.filter(([, { contract }]) => contract.surface === "app");
/** Operations that have a body. */
export const bodyOperations = everyOperation.filter(([, { contract }]) =>
  ["POST", "PATCH"].includes(contract.http.method),
);
export const postOperations = everyOperation.filter(([, { contract }]) => contract.http.method === "POST");

/** What a route's builder and the reader of requests tell apart: operations of one kind are treated alike before their service. */
function kindOf({ contract, also = {} }: Operation): string {
  const { method, body = {} } = contract.http;
  const filters = isPropertyFilter(contract.input.shape.properties) ? ["properties"] : [];
  return [contract.surface, method, ...Object.keys(body), ...filters, ...Object.keys(also)].join(" ");
}

/** The first operation of each kind: for what is decided by the builder of a route, the method or the form of the body. */
export const oneOfEachKind = (all: readonly Named[]): Named[] => [
  ...new Map(all.toReversed().map((one) => [kindOf(one[1]), one])).values(),
];

/** A workspace and someone who may do everything in it, on the operation's own surface: a key, or the owner's browser. */
export async function castOf({ contract }: Operation, plan: Plan = "scale"): Promise<{ stage: Stage; as: As }> {
  const stage = await createStage(plan);
  if (contract.surface === "public") return { stage, as: { key: await stage.key() } };
  return { stage, as: { cookie: (await stage.person("owner")).cookie, workspace: stage.id } };
}

/** Fields of the input that name a record by id, and `focus`, which may. */
export function namingFields({ contract }: Pick<Operation, "contract">): string[] {
  const { properties = {} } = schemaOf(contract);
  return Object.entries(properties)
    .filter(([field, { format }]) => format === "uuid" || field === "focus")
    .map(([field]) => field);
}
