"use client";

import { Users } from "lucide-react";
import type { ReactNode } from "react";
import { SampleOffer } from "#components/sample-data/sample-offer.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** What an empty list shows. */
export type EmptyList = { sentence: string; action: ReactNode; example: { label: string; code: string } };

export type NoRowsProps = { one: string; filtered: boolean; onClear: () => void; empty: EmptyList };

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
