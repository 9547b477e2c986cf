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
