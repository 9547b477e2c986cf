import Link from "next/link";
import type { Column } from "#components/records/list-kind.ts";
import { personName, shortLinkedin, sourceWords } from "#components/records/names.ts";
import { Score } from "#components/records/score.tsx";
import { StageMenu } from "#components/records/stage-menu.tsx";
import { stageLabels } from "#components/records/stages.ts";
import { When } from "#components/records/when.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import type { Person } from "#lib/domain/people/contract.ts";

const text = (value: string | null) => <span className="block truncate">{value}</span>;
const quiet = (value: string | null) => <span className="block truncate text-muted-foreground">{value}</span>;

/** The columns of the people table; the first is always there. */
export const personColumns: readonly Column<Person>[] = [
  {
    id: "name",
    label: "Name",
    weight: 20,
    cell: (person, { workspaceId }) => (
      <Link
        href={`/${workspaceId}/accounts/${person.id}`}
        prefetch={false}
        data-row-link
        className="flex items-center gap-2 font-medium outline-offset-0 after:absolute after:inset-0"
      >
        <Avatar name={personName(person)} />
        <span className="truncate">{personName(person)}</span>
      </Link>
    ),
    text: personName,
  },
  {
    id: "job_title",
    label: "Title",
    weight: 17,
    standard: true,
    cell: (person) => text(person.job_title),
    text: (person) => person.job_title ?? "",
  },
  {
    id: "company",
    label: "Company",
    weight: 15,
    standard: true,
    cell: (person, { workspaceId }) =>
      person.company_id ? (
        <Link
          href={`/${workspaceId}/accounts/${person.company_id}`}
          prefetch={false}
          className="relative z-1 block w-fit max-w-full truncate rounded-xs hover:underline"
        >
          {person.company}
        </Link>
      ) : (
        text(person.company)
      ),
    text: (person) => person.company ?? "",
  },
  {
    id: "pipeline_stage",
    label: "Stage",
    weight: 12,
    standard: true,
    cell: (person, { onStage }) => (
      <StageMenu stage={person.pipeline_stage} name={personName(person)} onStage={(stage) => onStage(person, stage)} />
    ),
    text: (person) => stageLabels[person.pipeline_stage],
  },
  {
    id: "icp_score",
    label: "ICP",
    weight: 7,
    align: "right",
    sort: "icp_score",
    standard: true,
    cell: (person) => <Score score={person.icp_score} />,
    text: (person) => (person.icp_score === null ? "" : String(person.icp_score)),
  },
  {
    id: "last_activity_at",
    label: "Last activity",
    weight: 11,
    sort: "last_activity",
    standard: true,
    cell: (person) => <When value={person.last_activity_at} />,
    text: (person) => person.last_activity_at ?? "",
  },
  {
    id: "email",
    label: "E-mail",
    weight: 20,
    standard: true,
    cell: (person) => quiet(person.email),
    text: (person) => person.email ?? "",
  },
  {
    id: "linkedin_url",
    label: "LinkedIn",
    weight: 18,
    cell: (person) => quiet(shortLinkedin(person.linkedin_url)),
    text: (person) => person.linkedin_url ?? "",
  },
  {
    id: "phone",
    label: "Phone",
    weight: 13,
    cell: (person) => quiet(person.phone),
    text: (person) => person.phone ?? "",
  },
  {
    id: "source",
    label: "Source",
    weight: 11,
    cell: (person) => quiet(sourceWords(person.source)),
    text: (person) => person.source,
  },
  {
    id: "created_at",
    label: "Created",
    weight: 10,
    sort: "created",
    cell: (person) => <When value={person.created_at} />,
    text: (person) => person.created_at,
  },
];
