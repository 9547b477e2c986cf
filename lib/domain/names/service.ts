export { findByName, findLabels, type NamedRow } from "./queries.ts";
export { closest, detailOf, exactName, nameOf, partOfName } from "./rules.ts";
