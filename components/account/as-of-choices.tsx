import { useEffect, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { DAY_MS } from "#lib/text/time.ts";
import type { Moment } from "./moment.ts";

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

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

type AsOfChoicesProps = { moment: Moment; onMoment: (day: string, by: "true" | "known") => void; onNow: () => void };

/** The days to choose from, as the content of a popover. */
export function AsOfChoices({ moment, onMoment, onNow }: AsOfChoicesProps) {
  const by = moment?.by ?? "true";
  const first = useRef<HTMLInputElement>(null);
  // The popover took the focus while there was nothing in it to take it.
  useEffect(() => {
    if (document.activeElement?.role === "dialog") first.current?.focus();
  }, []);
  const go = (day: string, way: "true" | "known" = by) => onMoment(day, way);
  return (
    <>
      <Field label="As of the end of">
        <Input
          ref={first}
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
        <Button variant="primary" onClick={onNow}>
          Back to now
        </Button>
      ) : null}
    </>
  );
}
