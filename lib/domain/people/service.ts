export { listCompanies, listPeople } from "./service/list.ts";
export { rebuildRows, recordAbout, refresh } from "./service/record.ts";
export { patchCompany, patchPerson, upsertCompany, upsertPeople, upsertPerson } from "./service/write.ts";
