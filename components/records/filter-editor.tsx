"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { Choice, Filter, PlaceValue } from "./list-kind.ts";
import { PropertyEditor } from "./property-editor.tsx";

const RecordPicker = onDemand(
  "The list of records",
  () => import("./record-picker.tsx").then((module) => module.RecordPicker),
  { loading: <Skeleton className="h-40 w-full" /> },
);

type FilterEditorProps = {
  workspaceId: string;
  filter: Filter;
  value: PlaceValue;
  onValue: (value: string | number | boolean) => void;
};

const yesNo: readonly Choice[] = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];
const days: readonly Choice[] = [7, 14, 30, 90, 180].map((count) => ({ value: `${count}d`, label: `${count} days` }));

/** Picks or types the value of a filter. */
export function FilterEditor({ workspaceId, filter, value, onValue }: FilterEditorProps) {
  switch (filter.kind) {
    case "choice":
      return <Choices choices={filter.choices ?? []} value={value} onChoice={onValue} />;
    case "boolean":
      return <Choices choices={yesNo} value={value} onChoice={(choice) => onValue(choice === "true")} />;
    case "days":
      return <Choices choices={days} value={value} onChoice={onValue} />;
    case "company":
      return (
        <RecordPicker workspaceId={workspaceId} types={["company"]} label="Company" onPick={({ id }) => onValue(id)} />
      );
    case "property":
      return (
        <PropertyEditor
          workspaceId={workspaceId}
          subject={filter.subject ?? "person"}
          value={value}
          onValue={onValue}
        />
      );
    default:
      return <TextEditor filter={filter} value={value} onValue={onValue} />;
  }
}

type ChoicesProps = { choices: readonly Choice[]; value: PlaceValue; onChoice: (value: string) => void };

function Choices({ choices, value, onChoice }: ChoicesProps) {
  return (
    <ul className="flex flex-col">
      {choices.map((choice) => (
        <li key={choice.value}>
          <Button
            variant="ghost"
            aria-pressed={String(value) === choice.value}
            onClick={() => onChoice(choice.value)}
            className="w-full justify-start px-2 font-normal aria-pressed:font-medium"
          >
            {choice.label}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function TextEditor({ filter, value, onValue }: Pick<FilterEditorProps, "filter" | "value" | "onValue">) {
  const [text, setText] = useState(value === null ? "" : String(value));
  const isNumber = filter.kind === "number";

  function submit(event: FormEvent) {
    event.preventDefault();
    const given = text.trim();
    if (given !== "") onValue(isNumber ? Number(given) : given);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Field label={filter.label} {...(filter.hint ? { hint: filter.hint } : {})}>
        <Input
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          {...(isNumber ? { type: "number", min: 0, ...(filter.range ?? { max: 100, step: 1 }) } : {})}
        />
      </Field>
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  );
}
