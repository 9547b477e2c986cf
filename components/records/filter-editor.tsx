"use client";

import { useQueries } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { peoplePage } from "#components/people/calls.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Choices } from "./choices.tsx";
import { CompanyEditor } from "./company-editor.tsx";
import { changeOf } from "./filter-values.ts";
import type { Choice, Filter, Place, PlaceValue } from "./list-kind.ts";
import { OwnerEditor } from "./owner-editor.tsx";
import { isFiltered, queryOf } from "./place.ts";
import { PropertyEditor } from "./property-editor.tsx";
import { listTestOf, testOf, textOfListTest, textOfTest } from "./property-test.ts";
import { RangeEditor } from "./range-editor.tsx";
import { Options, SeveralEditor, severalTests } from "./several-editor.tsx";
import { totalOf } from "./use-total.ts";
import { ValuePicker } from "./value-picker.tsx";

type FilterEditorProps = {
  workspaceId: string;
  filter: Filter;
  /** What the list shows now. */
  place: Place;
  value: PlaceValue;
  onValue: (value: string | boolean) => void;
  /** What is ticked and not set yet; null: nothing. */
  onDraft: (value: string | null) => void;
};

const yesNo: readonly Choice[] = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];
const days: readonly Choice[] = [7, 14, 30, 90, 180].map((count) => ({ value: `${count}d`, label: `${count} days` }));

/** Picks or types the value of a filter. */
export function FilterEditor({ workspaceId, filter, place, value, onValue, onDraft }: FilterEditorProps) {
  const others = { ...place, ...changeOf(filter, place, value, null) };
  const text = value === null ? "" : String(value);
  switch (filter.kind) {
    case "choice":
      return <Choices choices={filter.choices ?? []} value={value} onChoice={onValue} />;
    case "boolean":
      return <Choices choices={yesNo} value={value} onChoice={(choice) => onValue(choice === "true")} />;
    case "days":
      return <Choices choices={days} value={value} onChoice={onValue} />;
    case "choices":
      return (
        <SeveralEditor
          tests={severalTests(filter.optional)}
          started={listTestOf(text)}
          onTest={(test) => onValue(textOfListTest(test))}
          onDraft={(test) => onDraft(test && textOfListTest(test))}
        >
          {({ values }, setValues) => (
            <CountedOptions
              workspaceId={workspaceId}
              filter={filter}
              others={others}
              values={values}
              onValues={setValues}
            />
          )}
        </SeveralEditor>
      );
    case "values":
      return (
        <SeveralEditor
          tests={severalTests(filter.optional)}
          started={text === "" ? { test: "is", values: [] } : testOf(text)}
          onTest={(test) => onValue(textOfTest(test))}
          onDraft={(test) => onDraft(test && textOfTest(test))}
        >
          {({ values }, setValues, apply) => (
            <>
              <ValuePicker
                workspaceId={workspaceId}
                subject={filter.subject ?? "person"}
                name={filter.property ?? filter.id}
                filtered={isFiltered(others)}
                values={values}
                onValues={setValues}
                onApply={apply}
              />
              <p className="text-muted-foreground text-sm empty:hidden">{filter.hint}</p>
            </>
          )}
        </SeveralEditor>
      );
    case "range":
      return <RangeEditor filter={filter} value={text} onValue={onValue} />;
    case "owner":
      return <OwnerEditor workspaceId={workspaceId} choices={filter.choices ?? []} value={value} onValue={onValue} />;
    case "company":
      return <CompanyEditor workspaceId={workspaceId} value={text} onValue={onValue} />;
    case "property":
      return (
        <PropertyEditor
          workspaceId={workspaceId}
          subject={filter.subject ?? "person"}
          filtered={isFiltered(others)}
          value={value ?? (filter.property ? `${filter.property}=` : "")}
          onValue={onValue}
          onDraft={onDraft}
        />
      );
    default:
      return <TextEditor filter={filter} value={text} onValue={onValue} />;
  }
}

type CountedOptionsProps = {
  workspaceId: string;
  filter: Filter;
  /** The list without this filter. */
  others: Place;
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
};

/** The choices of a filter, with how many rows the list would have with each where that can be told. */
function CountedOptions({ workspaceId, filter, others, values, onValues }: CountedOptionsProps) {
  const { counted, id, label, choices = [] } = filter;
  const query = queryOf(others);
  const totals = useQueries({
    queries: choices.map(({ value }) => ({
      ...totalOf({ id: "people", list: peoplePage }, workspaceId, { ...query, [id]: value }),
      enabled: counted === "people",
    })),
  });
  const options = choices.map((choice, place) => {
    const total = totals[place]?.data?.total;
    return { ...choice, ...(total ? { count: `${numeral(total.count)}${total.capped ? "+" : ""}` } : {}) };
  });
  return <Options label={label} options={options} values={values} onValues={onValues} />;
}

type TextEditorProps = { filter: Filter; value: string; onValue: (value: string) => void };

function TextEditor({ filter, value, onValue }: TextEditorProps) {
  const [text, setText] = useState(value);

  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = text.trim();
    if (typed !== "") onValue(typed);
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
        />
      </Field>
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  );
}
