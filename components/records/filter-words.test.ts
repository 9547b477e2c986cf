import { expect, test } from "vitest";
import { filterWords } from "./filter-words.ts";
import type { Filter, PlaceValue } from "./list-kind.ts";

const stage: Filter = {
  id: "pipeline_stage",
  label: "Stage",
  kind: "choices",
  choices: [
    { value: "aware", label: "Aware" },
    { value: "client", label: "Client" },
  ],
};
const score: Filter = { id: "min", upTo: "max", label: "ICP score", kind: "range" };
const source: Filter = { id: "source", label: "Source", kind: "values" };
const company: Filter = { id: "company_id", label: "Company", kind: "company" };
const owner: Filter = { id: "owner", label: "Owner", kind: "owner", choices: [{ value: "me", label: "Me" }] };
const property: Filter = { id: "property", label: "Property", kind: "property" };

const ofCompany: Filter = { id: "company", label: "Company property", kind: "property" };
const title: Filter = { id: "title", label: "Title", kind: "values", property: "job_title" };

test.each<[Filter, PlaceValue, string]>([
  [stage, "aware", "Stage: Aware"],
  [stage, "aware,client", "Stage: Aware, Client"],
  [stage, "not:client", "Stage is not Client"],
  [score, "50..", "ICP score 50 or more"],
  [score, "..70", "ICP score 70 or less"],
  [score, "50..70", "ICP score 50 to 70"],
  [source, "csv_import", "Source: CSV import"],
  [source, "not:api,crm", "Source is not API, CRM"],
  [company, "x", "Company: Acme"],
  [company, "x,y,z", "Company: Acme and 2 more"],
  [company, "exists:false", "Company is not known"],
  [property, "region=DACH", "Region: DACH"],
  [property, "region=in:A,B,C,D", "Region: A, B, C and 1 more"],
  [property, "region=not:DACH", "Region is not DACH"],
  [property, "job_title=contains:sales", "Title contains sales"],
  [property, "renewal=gte:2026-06-03", "Renewal is on or after Jun 3, 2026"],
  [property, "seats=lte:50", "Seats is at most 50"],
  [property, "seats=between:10..50", "Seats is between 10 and 50"],
  [ofCompany, "industry=Fintech", "Company industry: Fintech"],
  [ofCompany, "employee_count=gte:50", "Company employees is at least 50"],
  [ofCompany, "icp_score=gte:50", "Company ICP score is at least 50"],
  [title, "in:CFO,VP Sales", "Title: CFO, VP Sales"],
  [title, "not:csv_import", "Title is not csv_import"],
  [{ id: "not_contacted_for", label: "Not contacted for", kind: "days" }, "30d", "Not contacted for 30 days"],
  [owner, "me", "Owner: Me"],
  [owner, "ada@acme.example", "Owner: Acme"],
  [property, "phone=exists:false", "Phone is not known"],
  [{ id: "last_activity_after", label: "Active within", kind: "days" }, "1d", "Active within 1 day"],
  [
    { id: "last_activity_after", label: "Active within", timed: "Active since", kind: "days" },
    "2026-06-03T00:00:00.000Z",
    "Active since Jun 3, 2026",
  ],
  [
    { id: "created_before", label: "Older than", timed: "Created before", kind: "days" },
    "2026-06-03",
    "Created before Jun 3, 2026",
  ],
  [property, "last_seen=gte:2026-06-03T09:30:00Z", "Last seen is on or after Jun 3, 2026, 9:30 AM"],
  [property, "renewal=between:2026-06-03..2026-07-01T00:00:00Z", "Renewal is between Jun 3, 2026 and Jul 1, 2026"],
  [{ id: "has_email", label: "Has e-mail", kind: "boolean" }, false, "Has e-mail: no"],
])("%o set to %j", (filter, value, words) => {
  expect(filterWords(filter, value, "Acme")).toBe(words);
});
