export { findCompanyJson, findPersonJson } from "./queries/lists.ts";
export { findEmployeeIds, type Touch, touchRows, upsertPeople as writePeople } from "./queries/projection.ts";
export { findTimes, restoreTimes } from "./queries/times.ts";
export { companyFields, fieldAliases, isHigher, personFields, type Stage, stages } from "./rules/fields.ts";
export { identifiersIn, phoneNumber } from "./rules/input.ts";
export { namesIn } from "./rules/names.ts";
export { deriveMoves, stageMove } from "./service/advance.ts";
export { type Moved, moveStages, moveStagesBack, setStatuses } from "./service/change-many.ts";
export { createContacts, lockAddresses, lockAddressesLate, type Newcomer } from "./service/create.ts";
export { holdEntities } from "./service/hold.ts";
export type { Said } from "./service/implied.ts";
export {
  type Attached,
  type GivenRow,
  importRows,
  namesToHold,
  type ReadRow,
  type RowDone,
  readRow,
  type Terms,
} from "./service/import.ts";
export { leaveLists, takeUpWithout } from "./service/leave.ts";
export { listCompanies, listPeople } from "./service/list.ts";
export { stageAdvanced } from "./service/news.ts";
export { filtersForJob, ownersIn } from "./service/owners.ts";
export { listProperties } from "./service/properties.ts";
export { listPropertyValues } from "./service/property-values.ts";
export { rebuildRows, recountEmployers } from "./service/rebuild.ts";
export { foreseeRecorded, recordAbout, recordEach } from "./service/record.ts";
export { refresh } from "./service/refresh.ts";
export { restoreCompanies, restorePeople } from "./service/restore.ts";
export {
  patchCompany,
  patchPerson,
  upsertCompanies,
  upsertCompany,
  upsertPeople,
  upsertPerson,
} from "./service/write.ts";
