import type { GivenRow } from "#lib/domain/crm/people/service.ts";
import { companyDomain, type Identifier, normaliseCompanyName } from "#lib/domain/records/entities/service.ts";
import type { Cell } from "./cells.ts";
import type { Plan } from "./plan.ts";
import { pageUnder, RowReader, type Understood, withValues } from "./row-reader.ts";

/** A row about a company. One without domain and LinkedIn page is found by its name. */
export function companyIn(plan: Plan, cells: readonly Cell[], now: Date): Understood<GivenRow> {
  const row = new RowReader(plan, cells);
  const domains = row.named("company_domain", "domain", companyDomain);
  const pages = row.named("company_linkedin_url", "linkedin_url", (text) => pageUnder("/company/", text));
  const name = row.one("company");
  const label = name ?? domains[0]?.value ?? pages[0]?.value ?? null;
  const values = withValues({
    domain: domains[0]?.value,
    linkedin_url: pages[0]?.value,
    name,
    industry: row.one("industry", 200),
    employee_count: row.number("employees"),
    country: row.one("country", 100),
    owner: row.one("owner"),
  });
  const observedAt = row.observedAt(now);
  const fields = { ...row.properties(), ...values };
  const rest = { label, reasons: row.reasons };
  const key = domains[0] || pages[0] || name === null ? null : normaliseCompanyName(name);
  if (!domains[0] && !pages[0] && key === null) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "No domain, LinkedIn or name.",
      column: null,
    });
    return { given: null, ...rest };
  }
  const byName: Identifier[] = key === null ? [] : [{ kind: "name", value: key }];
  const more = [...domains.slice(1), ...pages.slice(1), ...byName];
  const ofPeople = { employer: null, employerMore: [], employs: false };
  return { given: { fields, more, observedAt, ...ofPeople, repeats: false }, ...rest };
}
