"use client";

import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { walkByArrows, walked } from "./arrow-walk.ts";
import { type PropertyFilter, type PropertyTest, problemWith, takesValue, testLabel } from "./property-test.ts";

type Test = Omit<PropertyFilter, "name">;

/** A value that can be picked, and how many records have it. */
export type Option = { value: string; label: string; count?: string };

/** The tests of a filter that takes several values. */
export const severalTests = (optional: boolean | undefined): readonly PropertyTest[] =>
  optional ? ["is", "not", "known", "unknown"] : ["is", "not"];

type SeveralEditorProps = {
  tests: readonly PropertyTest[];
  /** the values are days */
  ofDays?: boolean;
  started: Test;
  onTest: (test: Test) => void;
  /** What would be set now; null while that is nothing new. */
  onDraft: (test: Test | null) => void;
  /** `apply` sets the filter to these values. */
  children: (
    test: Test,
    setValues: (values: readonly string[]) => void,
    apply: (values: readonly string[]) => void,
  ) => ReactNode;
};

/** Picks how a filter is tested, then its values; Enter or "Apply" sets it. */
export function SeveralEditor({ tests, ofDays, started, onTest, onDraft, children }: SeveralEditorProps) {
  const [test, setTest] = useState(tests.includes(started.test) ? started.test : (tests[0] ?? "is"));
  const [values, setValues] = useState(started.values);
  const [refused, setRefused] = useState<string | null>(null);

  const testOf = (values: readonly string[]): Test => ({ test, values: takesValue(test) ? values : [] });
  const keep = useEffectEvent(() => {
    const isNew = test !== started.test || values.join("\n") !== started.values.join("\n");
    onDraft(isNew && problemWith(test, values) === null ? testOf(values) : null);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the event reads
  useEffect(keep, [test, values]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = problemWith(test, values);
    setRefused(problem);
    if (problem === null) onTest(testOf(values));
  }

  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => {
        // A box leaves Enter to the form.
        if (event.key === "Enter" && (event.target as HTMLElement).role === "checkbox")
          event.currentTarget.requestSubmit();
        walkByArrows(event);
      }}
      className="flex flex-col gap-3"
    >
      <TestSelect tests={tests} ofDays={ofDays} test={test} onTest={setTest} />
      {takesValue(test) ? children({ test, values }, setValues, (values) => onTest(testOf(values))) : null}
      {refused ? (
        <p role="alert" className="text-danger-text text-sm">
          {refused}
        </p>
      ) : null}
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  );
}

type TestSelectProps = {
  tests: readonly PropertyTest[];
  ofDays?: boolean | undefined;
  test: PropertyTest;
  onTest: (test: PropertyTest) => void;
};

export function TestSelect({ tests, ofDays = false, test, onTest }: TestSelectProps) {
  return (
    <Field label="Condition">
      <Select
        value={test}
        onValueChange={onTest}
        options={tests.map((each) => ({ value: each, label: testLabel(each, ofDays) }))}
      />
    </Field>
  );
}

type OptionsProps = {
  label: string;
  options: readonly Option[];
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
};

/** Options with a box each; those that were picked and are not among them come first. */
export function Options({ label, options, values, onValues }: OptionsProps) {
  const optionValues = new Set(options.map(({ value }) => value));
  const others = values.filter((value) => !optionValues.has(value)).map((value): Option => ({ value, label: value }));
  return (
    <ul aria-label={label} className="-mx-1 flex max-h-56 flex-col overflow-y-auto">
      {[...others, ...options].map(({ value, label: words, count }) => (
        <li key={value} className="flex min-h-8 items-center gap-2 rounded-xs px-1 hover:bg-hover">
          <Checkbox
            {...walked}
            checked={values.includes(value)}
            onCheckedChange={(on) =>
              onValues(on === true ? [...values, value] : values.filter((each) => each !== value))
            }
            label={<span className="wrap-anywhere">{words}</span>}
          />
          {count === undefined ? null : (
            <span className="ml-auto shrink-0 text-muted-foreground text-sm tabular-nums">{count}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

type ValueSearchProps = { text: string; onText: (text: string) => void; onAdd: (value: string) => void };

/** Narrows the values down; Enter takes the text itself. */
export function ValueSearch({ text, onText, onAdd }: ValueSearchProps) {
  return (
    <Input
      {...walked}
      autoFocus
      aria-label="Find a value"
      placeholder="Find a value, or type one"
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || text.trim() === "") return;
        event.preventDefault();
        onAdd(text.trim());
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
