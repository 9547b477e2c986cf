import { z } from "zod";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Custom, OWNER, Stage, Status, text, UPDATED } from "./fields.ts";

export const Person = z
  .strictObject({
    id: Id.describe("Entity id; accepted wherever a focus is taken."),
    entity_id: Id.describe("The same as id."),
    email: text("The latest active e-mail address."),
    first_name: text("Given name."),
    last_name: text("Family name."),
    job_title: text("Job title."),
    company: text("Company name as stated, else the linked company's name or domain."),
    company_id: Id.nullable().describe("The linked company."),
    linkedin_url: text("Canonical LinkedIn URL."),
    phone: text("E.164."),
    source: z.string().describe("Where the record came from."),
    status: Status,
    created_at: Timestamp,
    properties: Custom,
    owner: text(OWNER),
    pipeline_stage: Stage,
    icp_score: z.number().nullable().describe("0 to 100."),
    last_activity_at: Timestamp.nullable(),
    updated_at: Timestamp.describe(UPDATED),
  })
  .meta({ id: "Person", description: "A person as the lists have them." });
export type Person = z.output<typeof Person>;

export const examplePerson: Person = {
  id: "0190a6e0-0000-7000-8000-000000000010",
  entity_id: "0190a6e0-0000-7000-8000-000000000010",
  email: "anna@acme.com",
  first_name: "Anna",
  last_name: "Smith",
  job_title: "Head of Sales",
  company: "Acme",
  company_id: "0190a6e0-0000-7000-8000-000000000011",
  linkedin_url: "https://www.linkedin.com/in/anna-smith",
  phone: "+4930123456",
  source: "api",
  status: "active",
  created_at: "2026-06-03T09:00:00.000Z",
  properties: { region: "DACH" },
  owner: "ada@acme.example",
  pipeline_stage: "interested",
  icp_score: 82,
  last_activity_at: "2026-06-10T14:30:00.000Z",
  updated_at: "2026-06-10T14:30:00.210Z",
};
