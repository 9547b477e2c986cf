"use client";

import type { ComponentProps } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { FilterChips } from "./filter-chips.tsx";
import { valuesIn } from "./filter-values.ts";

const Chips = onDemand("The filters", () => import("./filter-chips.tsx").then((module) => module.FilterChips), {
  loading: <div className="h-7" />,
});

/** The active filters; most lists are opened without any. */
export function AppliedFilters(props: ComponentProps<typeof FilterChips>) {
  const { filters, place } = props;
  return filters.some((filter) => valuesIn(filter, place).length > 0) ? <Chips {...props} /> : null;
}
