import { BoundedCounter } from "#lib/core/bounded-counter.ts";
import { ofOneMachine } from "#lib/db/distributed/abilities.ts";

/**
 * Forgets what the process keeps under something that the next test file has too: counts by address, what is said once, what was
 * not written to a database that is gone. What it keeps by workspace, key or connection needs no forgetting.
 */
export function forgetProcessState(): void {
  for (const name of ["rate-limit", "inbound-strangers"]) reset(name, () => new BoundedCounter(60_000));
  reset("audit-reads", () => ({ noted: new Map(), waiting: new Map() }));
  reset("client-calls", () => ({ byCaller: new Map() }));
  reset("key-uses", () => ({ byKey: new Map() }));
  reset("embeddings-rest", () => ({ rest: { until: 0, failures: 0 } }));
  reset("logout-keys", () => ({ byIssuer: new Map() }));
  reset("foreign-host", () => ({ yet: false }));
  reset("outage", () => ({ lostAt: Number.NEGATIVE_INFINITY, awaySince: null }));
  reset("list-plans", () => ({ byText: new Map() }));
  reset("abilities", () => ({ abilities: ofOneMachine }));
}

/** Sets fields of a value that `singleton` keeps under this name, where something has asked for it. */
function reset(name: string, fields: () => object): void {
  const value = (globalThis as unknown as Record<symbol, object | undefined>)[Symbol.for(`rapport.${name}`)];
  if (value) Object.assign(value, fields());
}
