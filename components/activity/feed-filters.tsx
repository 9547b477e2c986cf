"use client";

import { DateFilter } from "#components/records/date-filter.tsx";
import { sourceWords, wordsOf } from "#components/records/names.ts";
import { RecordFilter } from "#components/records/record-filter.tsx";
import { Button } from "#components/ui/button.tsx";
import { Select } from "#components/ui/select.tsx";
import { type FeedPlace, feedTypes } from "./address.ts";
import { isFiltered, sourcesOf } from "./filters.ts";

const EVERY = "every";

type FeedFiltersProps = {
  workspaceId: string;
  place: FeedPlace;
  /** The sources of what is listed. */
  sources: Iterable<string>;
  onPlace: (change: Partial<FeedPlace>) => void;
};

/** By type, person or company, source and date. */
export function FeedFilters({ workspaceId, place, sources, onPlace }: FeedFiltersProps) {
  const { type, entity, source, from, to } = place;
  return (
    <>
      <Select
        aria-label="Type of activity"
        className="w-44"
        value={type ?? EVERY}
        onValueChange={(next) => onPlace({ type: feedTypes.find((each) => each === next) ?? null })}
        options={[
          { value: EVERY, label: "Every activity" },
          ...feedTypes.map((each) => ({ value: each, label: wordsOf(each) })),
        ]}
      />
      <RecordFilter
        workspaceId={workspaceId}
        value={entity}
        title="Activity with"
        onValue={(id) => onPlace({ entity: id })}
      />
      <Select
        aria-label="Source"
        className="w-40"
        value={source ?? EVERY}
        onValueChange={(next) => onPlace({ source: next === EVERY ? null : next })}
        options={[
          { value: EVERY, label: "Every source" },
          ...sourcesOf(sources, source).map((each) => ({ value: each, label: sourceWords(each) })),
        ]}
      />
      <DateFilter span={{ from, to }} title="Activity" onSpan={onPlace} />
      {isFiltered(place) ? (
        <Button
          variant="ghost"
          onClick={() => onPlace({ type: null, entity: null, source: null, from: null, to: null })}
        >
          Clear
        </Button>
      ) : null}
    </>
  );
}
