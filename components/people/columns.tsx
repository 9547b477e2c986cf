import Link from "next/link";
import type { Column } from "#components/records/list-kind.ts";
import { personName } from "#components/records/names.ts";
import { quiet, sharedColumns, text } from "#components/records/shared-columns.tsx";
import { StageMenu } from "#components/records/stage-menu.tsx";
import { stageLabels } from "#components/records/stages.ts";
import type { Person } from "#lib/domain/crm/people/contract.ts";

const shared = sharedColumns<Person>(personName);

/** The columns of the people table; the first is always there. */
export const personColumns: readonly Column<Person>[] = [
  shared.name,
  {
    id: "job_title",
    label: "Title",
    weight: 18,
    standard: true,
    cell: (person) => text(person.job_title),
    text: (person) => person.job_title ?? "",
  },
  {
    id: "company",
    label: "Company",
    weight: 15,
    sort: "company",
    ascendingFirst: true,
    standard: true,
    cell: (person, { workspaceId }) =>
      person.company_id ? (
        <Link
          href={`/${workspaceId}/accounts/${person.company_id}`}
          prefetch={false}
          className="relative z-1 block w-fit min-w-6 max-w-full truncate rounded-xs leading-6 hover:underline"
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
    sort: "stage",
    standard: true,
    cell: (person, { onStage }) => (
      <StageMenu stage={person.pipeline_stage} name={personName(person)} onStage={(stage) => onStage(person, stage)} />
    ),
    text: (person) => stageLabels[person.pipeline_stage],
  },
  shared.score,
  shared.activity,
  shared.owner,
  shared.trend,
  {
    id: "email",
    label: "E-mail",
    weight: 17,
    standard: true,
    cell: (person) => quiet(person.email),
    text: (person) => person.email ?? "",
  },
  shared.linkedin,
  {
    id: "phone",
    label: "Phone",
    weight: 13,
    cell: (person) => quiet(person.phone),
    text: (person) => person.phone ?? "",
  },
  shared.source,
  shared.created,
];
