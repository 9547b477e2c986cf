"use client";

import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

/** The editor of a filter, which loads when the first one is opened. */
export const FilterEditing = onDemand(
  "The filter",
  () => import("./filter-editor.tsx").then((module) => module.FilterEditor),
  { loading: <Skeleton className="h-40 w-full" /> },
);
