export { findStages } from "./queries/current-states.ts";
export { findCompanyJson, findPersonJson } from "./queries/lists.ts";
export { countByOwner, countOfOwner } from "./queries/owners.ts";
export { restoreTimes } from "./queries/times.ts";
export { identifiersIn, phoneNumber } from "./rules/input.ts";
export { type ChangedState, setStates, setStatesBack, setStatuses } from "./service/change-many.ts";
export {
  type GivenRow,
  type ImportedRow,
  importRows,
  namesToHold,
  type ReadRow,
  readRow,
  recordTraced,
  type Terms,
  type Traces,
} from "./service/import.ts";
export { companiesAmong, filtersForJob, listCompanies, listPeople, peopleAmong } from "./service/list.ts";
export { listProperties } from "./service/properties.ts";
export { listPropertyValues } from "./service/property-values.ts";
export {
  patchCompany,
  patchPerson,
  upsertCompanies,
  upsertCompany,
  upsertPeople,
  upsertPerson,
} from "./service/write.ts";
