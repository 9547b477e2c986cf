"use client";

import { Card } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { NoRowsProps } from "./no-rows.tsx";

/** A list without rows: its sentence at once, what to do next a moment later. */
export const EmptyList = onDemand<NoRowsProps>(null, () => import("./no-rows.tsx").then((module) => module.NoRows), {
  loading: ({ filtered, empty }) => (
    <Card>
      <p className="px-4 py-5 text-muted-foreground">{filtered ? null : empty.sentence}</p>
    </Card>
  ),
});
