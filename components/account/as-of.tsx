"use client";

import { History } from "lucide-react";
import { useState } from "react";
import { ExactDay } from "#components/records/exact-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import type { Moment } from "./moment.ts";

type AsOfProps = { moment: Moment; onMoment: (day: string | null, by: "true" | "known") => void };

const DAY = 86_400_000;
const jumps = [
  { label: "A week ago", days: 7 },
  { label: "A month ago", days: 30 },
  { label: "3 months ago", days: 91 },
  { label: "A year ago", days: 365 },
];
const ways = [
  { value: "true", label: "What was true then", hint: "With everything we have learned about that time since." },
  { value: "known", label: "What we knew then", hint: "Only what had been recorded by that day." },
] as const;

const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** Picks the day the page is shown as of. */
export function AsOf({ moment, onMoment }: AsOfProps) {
  const [open, setOpen] = useState(false);
  const by = moment?.by ?? "true";
  const go = (day: string | null, way: "true" | "known" = by) => onMoment(day, way);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button>
          <History aria-hidden="true" />
          {moment ? (
            <>
              As of <ExactDay value={moment.day} format="long" />
            </>
          ) : (
            <span className="max-sm:sr-only">As of now</span>
          )}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Show the page as of" className="flex flex-col gap-3">
        <Field label="As of the end of">
          <Input
            type="date"
            value={moment?.day ?? ""}
            max={dayBefore(1)}
            onChange={(event) => (event.target.value ? go(event.target.value) : undefined)}
          />
        </Field>
        <div className="flex flex-wrap gap-1.5">
          {jumps.map(({ label, days }) => (
            <Button key={days} size="sm" onClick={() => go(dayBefore(days))}>
              {label}
            </Button>
          ))}
        </div>
        <RadioGroup
          aria-label="What to show"
          options={ways}
          value={by}
          onValueChange={(way) => go(moment?.day ?? dayBefore(30), way)}
        />
        {moment ? (
          <Button
            variant="primary"
            onClick={() => {
              setOpen(false);
              go(null);
            }}
          >
            Back to now
          </Button>
        ) : null}
      </PopoverContent>
    </Popover>
  );
}

/** Says that the page shows the past, with the way back to now. */
export function PastBanner({ moment, onNow }: { moment: NonNullable<Moment>; onNow: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg bg-warning-soft px-4 py-2 text-warning-text"
    >
      <span>
        {moment.by === "known" ? "What we knew on" : "What was true on"} <ExactDay value={moment.day} format="long" />.
        Identifiers, people and company are today’s.
      </span>
      <Button variant="link" className="text-warning-text" onClick={onNow}>
        Back to now
      </Button>
    </div>
  );
}
