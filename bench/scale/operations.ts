import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
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

/** How long one piece of the exercise may take before it counts as hanging. */
const PATIENCE_MS = 60_000;

/** Runs a piece of the exercise; returns why it failed, null when it worked. */
export async function reasonOf(work: () => Promise<unknown>): Promise<Error | null> {
  const tooLong = AbortSignal.timeout(PATIENCE_MS);
  const hangs = once(tooLong, "abort").then(() => new Error(`it was not over after ${PATIENCE_MS / 1_000} s`));
  const ended = work().then(
    () => null,
    (error: Error) => error,
  );
  return Promise.race([ended, hangs]);
}

export const failureOf = (what: string, { message }: Error): Failure => ({ what, why: message.slice(0, 300) });

/** What a database of several machines does not do; the operations that can answer it say so. */
const NOT_OFFERED = "changes_not_available";

export type Ran = { ran: number; failures: Failure[] };

/** Waits until what an operation began in the background is over, so that the next one finds a workspace at rest. */
async function jobsDone(tenant: Stage): Promise<void> {
  for (;;) {
    const { jobs } = (await tenant.run("listJobs", {})) as { jobs: { state: string }[] };
    if (!jobs.some(({ state }) => state === "waiting" || state === "running")) return;
    await sleep(20);
  }
}

/** Every operation of the registry with an input that must succeed, once for each tenant; returns what failed. */
export async function runEveryOperation(
  ground: Ground,
  tenants: readonly Stage[],
): Promise<Ran & { notOffered: number }> {
  const failures: Failure[] = [];
  let [ran, notOffered] = [0, 0];
  for (const { contract, execute } of operations.filter(({ contract }) => contract.name !== LAST))
    for (const [place, tenant] of tenants.entries()) {
      ran++;
      const isOffered = !(ground.isDistributed && contract.errors?.includes(NOT_OFFERED));
      const reason = await reasonOf(async () => {
        if (!isOffered) return assert.rejects(execute(tenant.caller, contract.example.input), { code: NOT_OFFERED });
        contract.output.parse(await execute(tenant.caller, await inputOf(contract.name, tenant)));
        await jobsDone(tenant);
      });
      if (reason) failures.push(failureOf(`${contract.name} of tenant ${place + 1}`, reason));
      else if (!isOffered) notOffered++;
    }
  return { ran, notOffered, failures };
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
