import Link from "next/link";
import { Avatar } from "#components/ui/avatar.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import type { Account } from "./calls.ts";

type RelatedProps = { workspaceId: string; account: Account };

/** A person's employer, or a company's people. */
export function Related({ workspaceId, account }: RelatedProps) {
  const { works_at, people, people_count } = account.relationships;
  if (works_at.length + people.length === 0) return null;
  const rows = [
    ...works_at.map((company) => ({ ...company, detail: company.domain, square: true })),
    ...people.map((person) => ({ ...person, detail: person.job_title, square: false })),
  ];
  return (
    <Card>
      <CardHeader
        title={works_at.length > 0 ? "Company" : "People"}
        aside={people_count > 0 ? <span className="text-muted-foreground">{people_count}</span> : null}
      />
      <ul className="border-t py-1">
        {rows.map((row) => (
          <li key={row.entity_id}>
            <Link
              href={`/${workspaceId}/accounts/${row.entity_id}`}
              prefetch={false}
              className="flex min-h-10 items-center gap-2.5 px-4 py-1.5 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Avatar name={row.name} square={row.square} />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{row.name}</span>
                {row.detail ? <span className="block truncate text-muted-foreground text-sm">{row.detail}</span> : null}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {people_count > people.length || (people.length > 0 && account.type === "company") ? (
        <Link
          href={`/${workspaceId}/people?company_id=${account.entity_id}`}
          className="block border-t px-4 py-2 text-primary-text text-sm hover:bg-hover focus-visible:-outline-offset-2"
        >
          Open in People
        </Link>
      ) : null}
    </Card>
  );
}
