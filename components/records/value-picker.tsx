"use client";

import { useState } from "react";
import { numeral } from "#components/ui/numbers.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { Property } from "#lib/domain/crm/people/contract.ts";
import { regions } from "#lib/domain/crm/scores/words.ts";
import { fold } from "#lib/text/fold.ts";
import { sourceWords } from "./names.ts";
import { problemOf } from "./problem.ts";
import { type Option, Options, ValueSearch } from "./several-editor.tsx";
import { usePropertyValues } from "./use-property-values.ts";

type ValuePickerProps = {
  workspaceId: string;
  subject: Property["subject"];
  name: string;
  /** The list has other filters, which the counts do not follow. */
  filtered: boolean;
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
  /** Sets the filter to these values. */
  onApply: (values: readonly string[]) => void;
};

/** The values that records have in a property, counted; others can be typed. */
export function ValuePicker({ workspaceId, subject, name, filtered, values, onValues, onApply }: ValuePickerProps) {
  const [search, setSearch] = useState("");
  const suggestions = usePropertyValues(workspaceId, subject, name, search);
  const recorded = (suggestions.data?.values ?? []).map(
    ({ value, records }): Option => ({
      value: String(value),
      label: name === "source" ? sourceWords(String(value)) : String(value),
      count: numeral(records),
    }),
  );
  const options = [...recorded, ...regionsBeside(recorded, { subject, name }, search)];

  function add(text: string) {
    const option = options.find(({ value, label }) => [value, label].some((each) => same(each, text)));
    const value = option?.value ?? text;
    onApply(values.includes(value) ? values : [...values, value]);
  }

  return (
    <div className="flex flex-col gap-2">
      <ValueSearch text={search} onText={setSearch} onAdd={add} />
      {suggestions.isPending ? (
        <div className="flex flex-col gap-2 py-1">
          <Skeleton className="w-40" />
          <Skeleton className="w-32" />
          <Skeleton className="w-36" />
        </div>
      ) : (
        <Options label="Values" options={options} values={values} onValues={onValues} />
      )}
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {suggestions.error ? problemOf(suggestions.error).message : null}
        {suggestions.data && options.length === 0
          ? search.trim() === ""
            ? "No record has a value yet."
            : "No record has this value. Press Enter to use it anyway."
          : null}
        {suggestions.data && options.length > 0 ? countedAmong(subject, suggestions.data.capped, filtered) : null}
      </p>
    </div>
  );
}

/** Which records were counted, where that is not plain. */
function countedAmong(subject: Property["subject"], capped: boolean, filtered: boolean): string | null {
  const all = subject === "company" ? "companies" : "people";
  if (capped) return `Counted among 10,000 ${all}${filtered ? ", whatever the other filters" : ""}.`;
  return filtered ? `Counted among all ${all}, whatever the other filters.` : null;
}

/** A company is in a region by its country, so that regions can be picked that no record has as a value. */
function regionsBeside(
  recorded: readonly Option[],
  { subject, name }: Pick<ValuePickerProps, "subject" | "name">,
  search: string,
): Option[] {
  if (subject !== "company" || name !== "region") return [];
  return regions
    .filter((region) => fold(region).includes(fold(search)) && !recorded.some(({ value }) => same(value, region)))
    .map((region) => ({ value: region, label: region }));
}

const same = (a: string, b: string): boolean => a.localeCompare(b, undefined, { sensitivity: "base" }) === 0;
