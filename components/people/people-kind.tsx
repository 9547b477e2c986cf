import Link from "next/link";
import type { ListKind } from "#components/records/list-kind.ts";
import { personName } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Score } from "#components/records/score.tsx";
import { StageMenu } from "#components/records/stage-menu.tsx";
import type { Person } from "#lib/domain/crm/people/contract.ts";
import { changePerson, peoplePage } from "./calls.ts";
import { personColumns } from "./columns.tsx";
import { personFilters } from "./filters.ts";

export const peopleKind: ListKind<Person> = {
  id: "people",
  one: "person",
  many: "people",
  searchHint: "Search people",
  columns: personColumns,
  filters: personFilters,
  nameOf: personName,
  list: peoplePage,
  change: changePerson,
  hasStages: true,
  card: (person, { workspaceId, onStage }) => (
    <>
      <div className="flex items-center gap-2">
        <Link
          href={`/${workspaceId}/accounts/${person.id}`}
          prefetch={false}
          data-row-link
          className="min-w-0 flex-1 truncate font-medium leading-6 after:absolute after:inset-0"
        >
          {personName(person)}
        </Link>
        {person.icp_score === null ? null : <Score score={person.icp_score} />}
      </div>
      <p className="truncate text-muted-foreground text-sm">
        {[person.job_title, person.company].filter(Boolean).join(" · ") || person.email}
      </p>
      <div className="flex items-center justify-between text-muted-foreground text-sm">
        <StageMenu
          stage={person.pipeline_stage}
          name={personName(person)}
          onStage={(stage) => onStage(person, stage)}
        />
        {person.last_activity_at ? <RelativeTime value={person.last_activity_at} /> : "No activity"}
      </div>
    </>
  ),
};
