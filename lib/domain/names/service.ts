export { findByName, findLabels, type Label, type NamedRow } from "./queries.ts";
export { closest, detailOf, exactName, nameOf, partOfName } from "./rules.ts";
