import Link from "next/link";
import { Avatar } from "#components/ui/avatar.tsx";
import type { Column } from "./list-kind.ts";
import { shortLinkedin, sourceWords } from "./names.ts";
import { Score } from "./score.tsx";
import { Trend } from "./trend.tsx";
import { When } from "./when.tsx";

/** What people and companies have in common. */
type Alike = {
  id: string;
  linkedin_url: string | null;
  icp_score: number | null;
  last_activity_at: string | null;
  source: string;
  owner: string | null;
  created_at: string;
};

export const text = (value: string | null) => <span className="block truncate">{value}</span>;
export const quiet = (value: string | null) => <span className="block truncate text-muted-foreground">{value}</span>;

/** The columns that both lists have. `name` is the first: a click anywhere in the row opens the record. */
export const sharedColumns = <Row extends Alike>(nameOf: (row: Row) => string, { square = false } = {}) =>
  ({
    name: {
      id: "name",
      label: "Name",
      weight: 20,
      sort: "name",
      ascendingFirst: true,
      cell: (row, { workspaceId }) => (
        <Link
          href={`/${workspaceId}/accounts/${row.id}`}
          prefetch={false}
          data-row-link
          className="flex items-center gap-2 font-medium outline-offset-0 after:absolute after:inset-0"
        >
          <Avatar name={nameOf(row)} square={square} />
          <span className="truncate">{nameOf(row)}</span>
        </Link>
      ),
      text: nameOf,
    },
    score: {
      id: "icp_score",
      label: "ICP",
      weight: 8,
      align: "right",
      sort: "icp_score",
      standard: true,
      onceKnown: true,
      cell: (row) => <Score score={row.icp_score} />,
      text: (row) => String(row.icp_score ?? ""),
    },
    activity: {
      id: "last_activity_at",
      label: "Last activity",
      weight: 17,
      sort: "last_activity",
      standard: true,
      cell: (row) => <When value={row.last_activity_at} />,
      text: (row) => row.last_activity_at ?? "",
    },
    owner: {
      id: "owner",
      label: "Owner",
      weight: 13,
      standard: true,
      onceKnown: true,
      cell: (row) => quiet(row.owner),
      text: (row) => row.owner ?? "",
    },
    trend: {
      id: "trend",
      label: "12 weeks",
      weight: 11,
      standard: true,
      cell: (row, { workspaceId }) => (row.last_activity_at ? <Trend workspaceId={workspaceId} id={row.id} /> : null),
      text: () => "",
    },
    linkedin: {
      id: "linkedin_url",
      label: "LinkedIn",
      weight: 18,
      cell: (row) => quiet(shortLinkedin(row.linkedin_url)),
      text: (row) => row.linkedin_url ?? "",
    },
    source: {
      id: "source",
      label: "Source",
      weight: 11,
      cell: (row) => quiet(sourceWords(row.source)),
      text: (row) => row.source,
    },
    created: {
      id: "created_at",
      label: "Created",
      weight: 10,
      sort: "created",
      cell: (row) => <When value={row.created_at} />,
      text: (row) => row.created_at,
    },
  }) satisfies Record<string, Column<Row>>;
