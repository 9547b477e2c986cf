export { findByName, findLabels, type NamedRow } from "./queries.ts";
export { closest, detailOf, exactName, type NamePatterns, nameOf, partOfName } from "./rules.ts";
