import type { EntityRow } from "#lib/domain/records/entities/service.ts";
import { knownName, type Naming } from "#lib/domain/records/names/service.ts";

/** A record as merges name it. */
export const mergedRecord = ({ id, type }: Pick<EntityRow, "id" | "type">, labels: ReadonlyMap<string, Naming>) => ({
  entity_id: id,
  type: type === "company" ? ("company" as const) : ("person" as const),
  name: knownName(labels.get(id) ?? {}),
});
