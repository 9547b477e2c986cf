// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/crm/people/contract.ts";

export const listCompanies = operationAt<typeof contract.listCompanies>("GET /v2/companies");
export const listPeople = operationAt<typeof contract.listPeople>("GET /v2/people");
export const listProperties = operationAt<typeof contract.listProperties>("GET /v2/properties");
export const listPropertyValues = operationAt<typeof contract.listPropertyValues>("GET /v2/properties/:name/values");
export const patchCompany = operationAt<typeof contract.patchCompany>("PATCH /v2/companies/:focus");
export const patchPerson = operationAt<typeof contract.patchPerson>("PATCH /v2/people/:focus");
export const upsertCompanies = operationAt<typeof contract.upsertCompanies>("POST /v2/companies/bulk");
export const upsertCompany = operationAt<typeof contract.upsertCompany>("POST /v2/companies");
export const upsertPeople = operationAt<typeof contract.upsertPeople>("POST /v2/people/bulk");
export const upsertPerson = operationAt<typeof contract.upsertPerson>("POST /v2/people");
