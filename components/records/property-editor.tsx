"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { Property } from "#lib/domain/crm/people/contract.ts";
import { walkByArrows, walked } from "./arrow-walk.ts";
import type { PlaceValue } from "./list-kind.ts";
import { wordsOf } from "./names.ts";
import {
  itemOf,
  type PropertyFilter,
  type PropertyTest,
  propertyFilterOf,
  takesSeveral,
  testsFor,
} from "./property-test.ts";
import { SeveralEditor } from "./several-editor.tsx";
import { useProperties } from "./use-properties.ts";
import { ValuePicker } from "./value-picker.tsx";

type PropertyEditorProps = {
  workspaceId: string;
  subject: Property["subject"];
  /** The list has other filters. */
  filtered: boolean;
  value: PlaceValue;
  onValue: (value: string) => void;
  /** What would be set now; null: nothing new. */
  onDraft: (value: string | null) => void;
};

/** Picks a property that the workspace has, how it is tested, and the values. */
export function PropertyEditor({ workspaceId, subject, filtered, value, onValue, onDraft }: PropertyEditorProps) {
  const started = propertyFilterOf(typeof value === "string" ? value : "");
  const [name, setName] = useState(started.name);
  const properties = useProperties(workspaceId, subject);
  if (name === "") return <PropertyChoice properties={properties} onName={setName} />;
  const property = properties.find((each) => each.name === name);
  const isDate = property?.type === "date";
  const textOf = ({ test, values }: Omit<PropertyFilter, "name">) =>
    itemOf({ name, test, values: takesSeveral(test) ? values : values.map((each) => each.trim()) });
  const same = name === started.name && started.values.some((each) => each !== "");
  return (
    <div className="flex flex-col gap-3">
      {name === started.name ? null : <p className="font-medium text-sm">{wordsOf(name)}</p>}
      <SeveralEditor
        key={`${name} ${property?.type}`}
        tests={testsFor(property?.type, property)}
        ofDays={isDate}
        started={same || started.test === "known" || started.test === "unknown" ? started : { test: "is", values: [] }}
        onTest={(test) => onValue(textOf(test))}
        onDraft={(test) => onDraft(test && textOf(test))}
      >
        {({ test, values }, setValues, apply) =>
          takesSeveral(test) ? (
            <ValuePicker
              workspaceId={workspaceId}
              subject={subject}
              name={name}
              filtered={filtered}
              values={values}
              onValues={setValues}
              onApply={apply}
            />
          ) : (
            <Bounds test={test} isDate={isDate} values={values} onValues={setValues} />
          )
        }
      </SeveralEditor>
    </div>
  );
}

type BoundsProps = {
  test: PropertyTest;
  isDate: boolean;
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
};

/** One value to compare with, or the two ends of a range. */
function Bounds({ test, isDate, values, onValues }: BoundsProps) {
  const both = test === "between";
  const [from = "", to = ""] = values;
  const looks = {
    type: isDate && test !== "contains" ? "date" : "text",
    autoComplete: "off",
    spellCheck: false,
  } as const;
  const hint = test === "contains" || isDate ? undefined : "A number, or a date such as 2026-06-03.";
  return (
    <div className="flex flex-col gap-2">
      <Field label={both ? "From" : "Value"} hint={both ? undefined : hint}>
        <Input
          autoFocus
          value={from}
          onChange={(event) => onValues(both ? [event.target.value, to] : [event.target.value])}
          {...looks}
        />
      </Field>
      {both ? (
        <Field label="To" hint={hint}>
          <Input value={to} onChange={(event) => onValues([from, event.target.value])} {...looks} />
        </Field>
      ) : null}
    </div>
  );
}

type PropertyChoiceProps = { properties: readonly Property[]; onName: (name: string) => void };

/** The properties that records have, with how many have each; a new name can be typed too. */
function PropertyChoice({ properties, onName }: PropertyChoiceProps) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const matches = properties
    .filter(({ name, records }) =>
      wanted === "" ? records > 0 : [name, wordsOf(name).toLowerCase()].some((each) => each.includes(wanted)),
    )
    .sort((a, b) => Number(a.standard) - Number(b.standard));
  const isName = /^[a-z][a-z0-9_]{0,62}$/.test(wanted);
  return (
    <search onKeyDown={walkByArrows} className="flex flex-col gap-2">
      <Input
        {...walked}
        autoFocus
        aria-label="Find a property"
        placeholder="Find a property"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const name = matches[0]?.name ?? (isName ? wanted : null);
          if (event.key !== "Enter" || wanted === "" || name === null) return;
          event.preventDefault();
          onName(matches.some((each) => each.name === wanted) ? wanted : name);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <ul aria-label="Properties" className="-mx-1 flex max-h-64 flex-col overflow-y-auto">
        {matches.map(({ name, records, capped }) => (
          <li key={name}>
            <Button
              {...walked}
              variant="ghost"
              aria-label={wordsOf(name)}
              className="w-full justify-start px-1 font-normal"
              onClick={() => onName(name)}
            >
              <span className="min-w-0 truncate">{wordsOf(name)}</span>
              <span className="ml-auto text-muted-foreground text-sm tabular-nums">
                {numeral(records)}
                {capped ? "+" : ""}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {matches.length === 0 ? (
        <p role="status" className="text-muted-foreground text-sm">
          {wanted === ""
            ? "No record has a property yet."
            : isName
              ? "No record has it yet. Press Enter to use it anyway."
              : "No property has that name."}
        </p>
      ) : null}
    </search>
  );
}
