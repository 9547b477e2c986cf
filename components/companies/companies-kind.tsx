import Link from "next/link";
import { countryName } from "#components/account/countries.ts";
import type { ListKind } from "#components/records/list-kind.ts";
import { companyName } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Score } from "#components/records/score.tsx";
import type { Company } from "#lib/domain/crm/people/contract.ts";
import { changeCompany, companiesPage } from "./calls.ts";
import { companyColumns } from "./columns.tsx";
import { companyFilters } from "./filters.ts";

export const companiesKind: ListKind<Company> = {
  id: "companies",
  one: "company",
  many: "companies",
  searchHint: "Search companies",
  columns: companyColumns,
  filters: companyFilters,
  nameOf: companyName,
  list: companiesPage,
  change: changeCompany,
  hasStages: false,
  card: (company, { workspaceId }) => (
    <>
      <div className="flex items-center gap-2">
        <Link
          href={`/${workspaceId}/accounts/${company.id}`}
          prefetch={false}
          data-row-link
          className="min-w-0 flex-1 truncate font-medium leading-6 after:absolute after:inset-0"
        >
          {companyName(company)}
        </Link>
        <Score score={company.icp_score} />
      </div>
      <p className="truncate text-muted-foreground text-sm">
        {[company.industry, company.country && countryName(company.country), company.domain]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <div className="flex items-center justify-between text-muted-foreground text-sm">
        <span>
          {company.people_count} {company.people_count === 1 ? "person" : "people"}
        </span>
        {company.last_activity_at ? <RelativeTime value={company.last_activity_at} /> : "No activity"}
      </div>
    </>
  ),
};
