import { isUuid } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { findLabels } from "./queries.ts";
import { knownName } from "./rules.ts";

export { findByName, findByNameAt, findEmployers, findLabels, findNear, type NamedRow } from "./queries.ts";
export {
  beginningsOf,
  closest,
  detailOf,
  exactName,
  knownName,
  type NamePatterns,
  type Naming,
  nameAtCompany,
  nameOf,
  partOfName,
} from "./rules.ts";

/** Names of the entities that values name by id, as those of `works_at` do. Asks nothing where there is no id. */
export async function findNamesIn(db: Db, values: readonly unknown[]): Promise<ReadonlyMap<string, string>> {
  const labels = await findLabels(db, values.filter((value) => typeof value === "string" && isUuid(value)) as string[]);
  return new Map(
    [...labels].flatMap(([id, label]) => {
      const name = knownName(label);
      return name === null ? [] : [[id, name]];
    }),
  );
}
