import type { Plan } from "#lib/core/plans.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { operations } from "#lib/registry.ts";
import { createStage, type Stage } from "./stage.ts";
import type { As } from "./surface.ts";

/** Every operation of the registry with its name, for `describe.each`. */
export const everyOperation = operations.map((operation): [string, Operation] => [operation.contract.name, operation]);

export const publicOperations = everyOperation.filter(([, { contract }]) => contract.surface === "public");
export const appOperations = everyOperation.filter(([, { contract }]) => contract.surface === "app");
/** Operations that have a body. */
export const bodyOperations = everyOperation.filter(([, { contract }]) =>
  ["POST", "PATCH"].includes(contract.http.method),
);
export const postOperations = everyOperation.filter(([, { contract }]) => contract.http.method === "POST");

/** A workspace and someone who may do everything in it, on the operation's own surface: a key, or the owner's browser. */
export async function castOf({ contract }: Operation, plan: Plan = "scale"): Promise<{ stage: Stage; as: As }> {
  const stage = await createStage(plan);
  if (contract.surface === "public") return { stage, as: { key: await stage.key() } };
  return { stage, as: { cookie: (await stage.person("owner")).cookie, workspace: stage.id } };
}
