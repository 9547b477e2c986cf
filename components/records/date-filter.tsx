"use client";

import { CalendarRange, X } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { ExactDay } from "./exact-time.tsx";

/** Days as in the address, both included; null means no limit. */
export type Span = { from: string | null; to: string | null };

type DateFilterProps = {
  span: Span;
  /** What is filtered, such as "Notes". */
  title: string;
  onSpan: (change: Partial<Span>) => void;
};

/** Limits a list to some days. */
export function DateFilter({ span, title, onSpan }: DateFilterProps) {
  const isSet = span.from !== null || span.to !== null;
  const limit = (day: string | null) => (day === null ? "…" : <ExactDay value={day} />);
  return (
    <span className="flex items-center">
      <Popover>
        <PopoverTrigger asChild>
          <Button>
            <CalendarRange aria-hidden="true" />
            {isSet ? (
              <span>
                {limit(span.from)} – {limit(span.to)}
              </span>
            ) : (
              "Any date"
            )}
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label="Dates" className="flex flex-col gap-3">
          <Field label="From">
            <Input
              type="date"
              value={span.from ?? ""}
              onChange={({ target }) => onSpan({ from: target.value || null })}
            />
          </Field>
          <Field label="To">
            <Input type="date" value={span.to ?? ""} onChange={({ target }) => onSpan({ to: target.value || null })} />
          </Field>
        </PopoverContent>
      </Popover>
      {isSet ? (
        <Button
          variant="ghost"
          size="icon"
          aria-label={`${title} of any date`}
          onClick={() => onSpan({ from: null, to: null })}
        >
          <X aria-hidden="true" />
        </Button>
      ) : null}
    </span>
  );
}
