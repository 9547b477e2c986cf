"use client";

import { curlOf } from "#components/curl.ts";
import { ImportButton } from "#components/imports/import-button.tsx";
import { upsertPerson } from "#components/operations/people.ts";
import { RecordList } from "#components/records/record-list.tsx";
import type { FirstPage } from "#components/records/use-records.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Plan } from "#lib/core/plans.ts";
import type { Person } from "#lib/domain/crm/people/contract.ts";
import type { SavedView } from "#lib/domain/crm/saved-views/contract.ts";
import { AddPersonButton } from "./add-person-button.tsx";
import { AddingPerson } from "./adding-person.tsx";
import { peopleAddress } from "./address.ts";
import { peopleKind } from "./people-kind.tsx";

const AddToList = onDemand("“Add to list”", () =>
  import("#components/leads/add-to-list.tsx").then((module) => module.AddToList),
);
const PeopleBoard = onDemand("The board", () =>
  import("#components/board/people-board.tsx").then((module) => module.PeopleBoard),
);

type PeopleListProps = {
  workspaceId: string;
  origin: string;
  first: FirstPage<Person> | null;
  views: readonly SavedView[];
  plan: Plan;
};

export function PeopleList({ workspaceId, origin, first, views, plan }: PeopleListProps) {
  return (
    <>
      <RecordList
        kind={peopleKind}
        address={peopleAddress}
        workspaceId={workspaceId}
        first={first}
        views={views}
        board={(shown) => <PeopleBoard workspaceId={workspaceId} {...shown} />}
        more={({ picked, whole, clear }) => (
          <AddToList
            workspaceId={workspaceId}
            plan={plan}
            people={whole ? (list_id) => whole({ action: "add_to_list", list_id }) : picked.map(({ id }) => id)}
            onAdded={clear}
          />
        )}
        empty={{
          sentence:
            "Everyone you sell to, with facts and where they come from. Add a person, import a file, or let an agent do it.",
          action: (
            <div className="flex flex-wrap gap-2">
              <AddPersonButton variant="secondary" />
              <ImportButton workspaceId={workspaceId} kind="people" />
            </div>
          ),
          example: { label: "What an agent sends", code: curlOf(origin, upsertPerson, { body: example }) },
        }}
      />
      <AddingPerson workspaceId={workspaceId} />
    </>
  );
}

const example = { email: "anna@acme.com", first_name: "Anna", job_title: "CTO" };
