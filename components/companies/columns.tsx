import Link from "next/link";
import type { Column } from "#components/records/list-kind.ts";
import { companyName, shortLinkedin, sourceWords } from "#components/records/names.ts";
import { Score } from "#components/records/score.tsx";
import { When } from "#components/records/when.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import type { Company } from "#lib/domain/people/contract.ts";

const text = (value: string | null) => <span className="block truncate">{value}</span>;
const quiet = (value: string | null) => <span className="block truncate text-muted-foreground">{value}</span>;
const count = (value: number | null) => (value === null ? "" : value.toLocaleString("en"));

/** The columns of the companies table; the first is always there. */
export const companyColumns: readonly Column<Company>[] = [
  {
    id: "name",
    label: "Name",
    weight: 20,
    cell: (company, { workspaceId }) => (
      <Link
        href={`/${workspaceId}/accounts/${company.id}`}
        prefetch={false}
        data-row-link
        className="flex items-center gap-2 font-medium after:absolute after:inset-0"
      >
        <Avatar name={companyName(company)} square />
        <span className="truncate">{companyName(company)}</span>
      </Link>
    ),
    text: companyName,
  },
  {
    id: "domain",
    label: "Domain",
    weight: 16,
    standard: true,
    cell: (company) => quiet(company.domain),
    text: (company) => company.domain ?? "",
  },
  {
    id: "industry",
    label: "Industry",
    weight: 13,
    standard: true,
    cell: (company) => text(company.industry),
    text: (company) => company.industry ?? "",
  },
  {
    id: "country",
    label: "Country",
    weight: 9,
    standard: true,
    cell: (company) => text(company.country),
    text: (company) => company.country ?? "",
  },
  {
    id: "employee_count",
    label: "Employees",
    weight: 9,
    align: "right",
    standard: true,
    cell: (company) => count(company.employee_count),
    text: (company) => String(company.employee_count ?? ""),
  },
  {
    id: "people_count",
    label: "People",
    weight: 8,
    align: "right",
    standard: true,
    cell: (company, { workspaceId }) =>
      company.people_count === 0 ? (
        <span className="text-muted-foreground">0</span>
      ) : (
        <Link
          href={`/${workspaceId}/people?company_id=${company.id}`}
          prefetch={false}
          aria-label={`${company.people_count} people of ${companyName(company)}`}
          className="relative z-1 rounded-xs px-1 hover:underline"
        >
          {count(company.people_count)}
        </Link>
      ),
    text: (company) => String(company.people_count),
  },
  {
    id: "icp_score",
    label: "ICP",
    weight: 7,
    align: "right",
    sort: "icp_score",
    standard: true,
    cell: (company) => <Score score={company.icp_score} />,
    text: (company) => String(company.icp_score ?? ""),
  },
  {
    id: "last_activity_at",
    label: "Last activity",
    weight: 12,
    sort: "last_activity",
    standard: true,
    cell: (company) => <When value={company.last_activity_at} />,
    text: (company) => company.last_activity_at ?? "",
  },
  {
    id: "linkedin_url",
    label: "LinkedIn",
    weight: 18,
    cell: (company) => quiet(shortLinkedin(company.linkedin_url)),
    text: (company) => company.linkedin_url ?? "",
  },
  {
    id: "source",
    label: "Source",
    weight: 11,
    cell: (company) => quiet(sourceWords(company.source)),
    text: (company) => company.source,
  },
  {
    id: "created_at",
    label: "Created",
    weight: 10,
    sort: "created",
    cell: (company) => <When value={company.created_at} />,
    text: (company) => company.created_at,
  },
];
