export { findByName, findLabels, type NamedRow } from "./queries.ts";
export {
  closest,
  detailOf,
  exactName,
  knownName,
  type NamePatterns,
  type Naming,
  nameOf,
  partOfName,
} from "./rules.ts";
