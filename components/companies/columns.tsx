import Link from "next/link";
import { countryName } from "#components/account/countries.ts";
import type { Column } from "#components/records/list-kind.ts";
import { companyName } from "#components/records/names.ts";
import { quiet, sharedColumns, text } from "#components/records/shared-columns.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { Company } from "#lib/domain/crm/people/contract.ts";

const count = (value: number | null) => (value === null ? "" : numeral(value));

const shared = sharedColumns<Company>(companyName, { square: true });

/** The columns of the companies table; the first is always there. */
export const companyColumns: readonly Column<Company>[] = [
  shared.name,
  {
    id: "domain",
    label: "Domain",
    weight: 17,
    standard: true,
    cell: (company) => quiet(company.domain),
    text: (company) => company.domain ?? "",
  },
  {
    id: "industry",
    label: "Industry",
    weight: 14,
    standard: true,
    cell: (company) => text(company.industry),
    text: (company) => company.industry ?? "",
  },
  {
    id: "country",
    label: "Country",
    weight: 15,
    standard: true,
    cell: (company) => text(company.country && countryName(company.country)),
    text: (company) => company.country ?? "",
  },
  {
    id: "employee_count",
    label: "Employees",
    weight: 12,
    align: "right",
    standard: true,
    cell: (company) => count(company.employee_count),
    text: (company) => String(company.employee_count ?? ""),
  },
  {
    id: "people_count",
    label: "People",
    weight: 9,
    align: "right",
    standard: true,
    cell: (company, { workspaceId }) =>
      company.people_count === 0 ? (
        <span className="text-muted-foreground">0</span>
      ) : (
        <Link
          href={`/${workspaceId}/people?company_id=${company.id}`}
          prefetch={false}
          aria-label={`${count(company.people_count)} ${company.people_count === 1 ? "person" : "people"} of ${companyName(company)}`}
          className="relative z-1 rounded-xs px-1 hover:underline"
        >
          {count(company.people_count)}
        </Link>
      ),
    text: (company) => String(company.people_count),
  },
  shared.score,
  shared.activity,
  shared.owner,
  shared.trend,
  shared.linkedin,
  shared.source,
  shared.created,
];
