"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { endsOf, rangeOf } from "./filter-values.ts";
import type { Filter } from "./list-kind.ts";

type RangeEditorProps = { filter: Filter; value: string; onValue: (value: string) => void };

/** The lower and the upper end of a range, either of which may be open. */
export function RangeEditor({ filter, value, onValue }: RangeEditorProps) {
  const started = endsOf(value);
  const [from, setFrom] = useState(started.from);
  const [to, setTo] = useState(started.to);
  const [refused, setRefused] = useState<string | null>(null);
  const limits = { type: "number", min: 0, ...(filter.range ?? { max: 100, step: 1 }) } as const;

  function submit(event: FormEvent) {
    event.preventDefault();
    const problem =
      from === "" && to === ""
        ? "Enter at least one of the two."
        : from !== "" && to !== "" && Number(from) > Number(to)
          ? "The lowest is above the highest."
          : null;
    setRefused(problem);
    if (problem === null) onValue(rangeOf(from, to));
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2">
        <Field label="At least">
          <Input autoFocus value={from} onChange={(event) => setFrom(event.target.value)} {...limits} />
        </Field>
        <Field label="At most">
          <Input value={to} onChange={(event) => setTo(event.target.value)} {...limits} />
        </Field>
      </div>
      {refused ? (
        <p role="alert" className="text-danger-text text-sm">
          {refused}
        </p>
      ) : (
        <p className="text-muted-foreground text-sm">{filter.hint}</p>
      )}
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  );
}
