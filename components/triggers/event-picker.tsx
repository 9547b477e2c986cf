"use client";

import { useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import type { TriggerEvent } from "./calls.ts";

type EventPickerProps = {
  events: readonly TriggerEvent[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** The id of the error below, when there is one. */
  describedBy?: string | undefined;
};

/** Every event by its group, and the payload of the one that was touched last. */
export function EventPicker({ events, chosen, onChange, describedBy }: EventPickerProps) {
  const [shown, setShown] = useState<string>(chosen[0] ?? "stage.advanced");
  const groups = [...new Set(events.map(({ group }) => group))];
  // An alias is offered only where it is chosen already.
  const offered = events.filter(({ type, alias_of }) => alias_of === null || chosen.includes(type));
  const sample = events.find(({ type }) => type === shown) ?? events[0];
  const turn = (type: string, on: boolean) => {
    setShown(type);
    onChange(on ? [...chosen, type] : chosen.filter((each) => each !== type));
  };
  return (
    <div className="flex flex-col gap-4" aria-describedby={describedBy}>
      {groups.map((group) => (
        <fieldset key={group} className="flex flex-col gap-1.5">
          <legend className="mb-1.5 text-muted-foreground text-sm">{group}</legend>
          <div className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
            {offered
              .filter((event) => event.group === group)
              .map(({ type, label, alias_of }) => (
                <Checkbox
                  key={type}
                  checked={chosen.includes(type)}
                  onCheckedChange={(on) => turn(type, on === true)}
                  label={alias_of === null ? label : `${label} (${type})`}
                />
              ))}
          </div>
        </fieldset>
      ))}
      {sample ? (
        <CodeBlock title={`What “${sample.label}” sends`} code={JSON.stringify(sample.sample, null, 2)} wrap />
      ) : null}
    </div>
  );
}
