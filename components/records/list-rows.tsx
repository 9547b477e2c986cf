"use client";

import { Users } from "lucide-react";
import type { ReactNode } from "react";
import { SampleOffer } from "#components/sample-data/sample-offer.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { ListedRecord } from "./list-kind.ts";
import { RecordCards } from "./record-cards.tsx";
import { RecordTable, type RowsProps } from "./record-table.tsx";
import { useNarrow } from "./use-narrow.ts";

/** The rows as a table or as cards: until the width of the screen is known both are rendered, and CSS shows one. */
export function ListRows<Row extends ListedRecord>(props: RowsProps<Row>) {
  const narrow = useNarrow();
  return (
    <>
      {narrow !== true ? (
        <div className="max-md:hidden">
          <RecordTable {...props} />
        </div>
      ) : null}
      {narrow !== false ? (
        <div className="md:hidden">
          <RecordCards {...props} />
        </div>
      ) : null}
    </>
  );
}

/** What an empty list shows. */
export type EmptyList = { sentence: string; action: ReactNode; example: { label: string; code: string } };

type NoRowsProps = { one: string; filtered: boolean; onClear: () => void; empty: EmptyList };

export function NoRows({ one, filtered, onClear, empty }: NoRowsProps) {
  return (
    <Card>
      {filtered ? (
        <EmptyState icon={<Users />} action={<Button onClick={onClear}>Clear filters</Button>}>
          No {one} matches this search.
        </EmptyState>
      ) : (
        <EmptyState icon={<Users />} action={empty.action} example={empty.example} also={<SampleOffer />}>
          {empty.sentence}
        </EmptyState>
      )}
    </Card>
  );
}
