import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { rebuildWorkspace } from "#lib/domain/rebuild/service.ts";
import { operations } from "#lib/registry.ts";
import { inputOf } from "#lib/testing/conformance/scenarios.ts";
import { createStage, type Stage } from "#lib/testing/conformance/stage.ts";
import type { Ground } from "./ground.ts";

export type Failure = { what: string; why: string };

/** Two tenants whose rows are on different machines, where there are several. */
export async function twoTenants(ground: Ground): Promise<[Stage, Stage]> {
  const first = await createStage();
  for (let attempt = 0; attempt < 20; attempt++) {
    const second = await createStage();
    if (!ground.isDistributed || (await ground.machineOf(first.id)) !== (await ground.machineOf(second.id)))
      return [first, second];
  }
  throw new Error("20 workspaces in a row came to the same machine: is the database distributed over several?");
}

/** Operations that would delete the workspace, which the others still need. */
const LAST = "deleteWorkspace";

/** Every operation of the registry with an input that must succeed, once for each tenant; returns what failed. */
export async function runEveryOperation(tenants: readonly Stage[]): Promise<{ ran: number; failures: Failure[] }> {
  const names = operations.map(({ contract }) => contract.name).filter((name) => name !== LAST);
  const failures: Failure[] = [];
  let ran = 0;
  for (const name of names) {
    for (const [place, tenant] of tenants.entries()) {
      ran++;
      try {
        const operation = operations.find(({ contract }) => contract.name === name);
        const output = await operation?.execute(tenant.caller, await inputOf(name, tenant));
        operation?.contract.output.parse(output);
      } catch (error) {
        failures.push({ what: `${name} of tenant ${place + 1}`, why: (error as Error).message.slice(0, 200) });
      }
    }
  }
  return { ran, failures };
}

/** The ids of all entities that a tenant can see. */
const entitiesOf = (tenant: Stage): Promise<string[]> =>
  withWorkspace(tenant.id, async (db: Db) =>
    (await db.prisma.entity.findMany({ select: { id: true } })).map(({ id }) => id),
  );

/**
 * Checks that no tenant sees another's rows, that nothing drifted from the evidence, and that a deleted workspace
 * leaves nothing.
 */
export async function lookAfterwards(tenants: readonly Stage[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  const seen = await Promise.all(tenants.map(entitiesOf));
  const shared = seen[0]?.filter((id) => seen[1]?.includes(id)) ?? [];
  if (seen.some((ids) => ids.length === 0)) failures.push({ what: "tenants see their own", why: "one sees nothing" });
  if (shared.length > 0) failures.push({ what: "tenants are apart", why: `${shared.length} entities seen by both` });
  for (const [place, tenant] of tenants.entries()) {
    const { different, differences } = await rebuildWorkspace(tenant.caller);
    if (different > 0)
      failures.push({ what: `rebuilding tenant ${place + 1}`, why: JSON.stringify(differences[0]).slice(0, 300) });
  }
  const gone = await createStage();
  await gone.anna();
  await gone.run(LAST, { confirm: "Test" });
  if ((await entitiesOf(gone)).length > 0) failures.push({ what: LAST, why: "left entities" });
  return failures;
}
