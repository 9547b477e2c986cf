import type { GivenRow } from "#lib/domain/crm/people/service.ts";
import {
  companyDomain,
  companyDomainOf,
  type Identifier,
  normaliseCompanyName,
  normaliseEmail,
} from "#lib/domain/records/entities/service.ts";
import { type Cell, namesIn, valuesIn } from "./cells.ts";
import type { Plan } from "./plan.ts";
import { pageUnder, RowReader, type Understood, withValues } from "./row-reader.ts";

/** A row about a person. */
export function personIn(plan: Plan, cells: readonly Cell[], now: Date): Understood<GivenRow> {
  const row = new RowReader(plan, cells);
  const emails = row.named("email", "email", normaliseEmail);
  const profiles = row.named("linkedin_url", "linkedin_url", (text) => pageUnder("/in/", text));
  const whole = row.one("name", 400);
  const names = {
    ...(whole ? namesIn(whole) : {}),
    ...withValues({ first_name: row.one("first_name", 200), last_name: row.one("last_name", 200) }),
  };
  const label =
    emails[0]?.value ?? ([names.first_name, names.last_name].filter(Boolean).join(" ") || profiles[0]?.value || null);
  const [email, linkedin] = [emails[0], profiles[0]];
  if (!email && !linkedin) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "No e-mail or LinkedIn.",
      column: null,
    });
    return { given: null, label, reasons: row.reasons };
  }
  const company = row.one("company");
  const fields = {
    email: email?.value,
    linkedin_url: linkedin?.value,
    ...names,
    job_title: row.one("job_title"),
    company,
    phone: row.phone(),
    pipeline_stage: row.stage(),
    owner: row.one("owner"),
  };
  const observedAt = row.observedAt(now);
  const { employer, employerMore, isTheirs } = employerIn(row, company, emails);
  const country = row.one("country");
  return {
    given: {
      fields: { ...row.properties(), ...withValues({ ...fields, country }) },
      more: [...emails.slice(1), ...profiles.slice(1)],
      observedAt,
      employer,
      employerMore,
      employs: isTheirs,
      repeats: false,
    },
    label,
    reasons: row.reasons,
  };
}

/**
 * What a row about a person says of their company: of the one that it names by domain or LinkedIn page, else of that of their e-mail's
 * domain, else of the one that it names by its name (`isTheirs`: the row says that they work there). Without any, custom properties of
 * the person keep it.
 */
function employerIn(
  row: RowReader,
  name: string | null,
  emails: readonly Identifier[],
): Pick<GivenRow, "employer" | "employerMore"> & { isTheirs: boolean } {
  const domains = row.named("company_domain", "domain", companyDomain);
  const [page] = row.named("company_linkedin_url", "linkedin_url", (text) => pageUnder("/company/", text));
  const [own] = domains;
  const [ofEmail] = page ? [] : emails.flatMap(({ value }) => companyDomainOf(value) ?? []);
  const domain = own?.value ?? ofEmail;
  for (const { text, place } of row.all("company_domain"))
    if (own && !valuesIn(text).some((part) => companyDomain(part) === own.value)) row.keepOther(place, text, "");
  const key = domain || page || name === null ? null : normaliseCompanyName(name);
  if (!domain && !page && key === null) {
    for (const field of ["industry", "employees", "company_country"] as const)
      for (const { text, place } of row.all(field)) row.keep(place, text, "no_company", "The row names no company");
    return { employer: null, employerMore: [], isTheirs: false };
  }
  const fields = withValues({
    // A file that Rapport exported has the domain in place of a name that is not known.
    name: name !== null && companyDomain(name) === domain ? null : name,
    industry: row.one("industry", 200),
    employee_count: row.number("employees"),
    country: row.one("company_country", 100),
  });
  const isTheirs = own !== undefined || page !== undefined || key !== null;
  if (!isTheirs && Object.keys(fields).length === 0) return { employer: null, employerMore: [], isTheirs };
  const employerMore: Identifier[] = key === null ? [] : [{ kind: "name", value: key }];
  return { employer: { ...withValues({ domain, linkedin_url: page?.value }), ...fields }, employerMore, isTheirs };
}
