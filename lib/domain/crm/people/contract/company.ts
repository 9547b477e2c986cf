import { z } from "zod";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Custom, OWNER, Status, text, UPDATED } from "./fields.ts";

export const Company = z
  .strictObject({
    id: Id,
    entity_id: Id,
    domain: text("The company's domain."),
    name: text("Name."),
    linkedin_url: text("Canonical LinkedIn URL."),
    industry: text("Industry."),
    employee_count: z.int().nullable(),
    country: text("Country."),
    owner: text(OWNER),
    people_count: z.int().describe("Active people linked to the company."),
    icp_score: z.number().nullable(),
    last_activity_at: Timestamp.nullable().describe("Latest activity of the company or its people."),
    source: z.string(),
    status: Status,
    created_at: Timestamp,
    updated_at: Timestamp.describe(UPDATED),
    properties: Custom,
  })
  .meta({ id: "Company", description: "A company as the lists have it." });
export type Company = z.output<typeof Company>;

export const exampleCompany: Company = {
  id: "0190a6e0-0000-7000-8000-000000000011",
  entity_id: "0190a6e0-0000-7000-8000-000000000011",
  domain: "acme.com",
  name: "Acme",
  linkedin_url: null,
  industry: "Fintech",
  employee_count: 120,
  country: "DE",
  owner: null,
  people_count: 3,
  icp_score: null,
  last_activity_at: null,
  source: "api",
  status: "active",
  created_at: "2026-06-03T09:00:00.000Z",
  updated_at: "2026-06-10T14:30:00.210Z",
  properties: {},
};
