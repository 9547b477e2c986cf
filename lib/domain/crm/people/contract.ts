export { Company, exampleCompany } from "./contract/company.ts";
export { Stage } from "./contract/fields.ts";
export { limitFeature, limitFields, limitInput } from "./contract/limits.ts";
export {
  CompanyFilters,
  listCompanies,
  listPeople,
  PeopleFilters,
  type PersonSort,
} from "./contract/lists.ts";
export { examplePerson, Person } from "./contract/person.ts";
export { listProperties, listPropertyValues, type Property } from "./contract/properties.ts";
export { patchCompany, reservedForCompanies, upsertCompanies, upsertCompany } from "./contract/write-companies.ts";
export { patchPerson, reservedForPeople, upsertPeople, upsertPerson } from "./contract/write-people.ts";
export { companySorts, personSorts } from "./words.ts";
