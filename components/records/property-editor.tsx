"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Property } from "#lib/domain/people/contract.ts";
import type { PlaceValue } from "./list-kind.ts";
import { itemOf, type PropertyTest, propertyFilterOf, takesValue, testLabels, testsFor } from "./property-test.ts";
import { useProperties } from "./use-properties.ts";

type PropertyEditorProps = {
  workspaceId: string;
  subject: Property["subject"];
  value: PlaceValue;
  onValue: (value: string) => void;
};

const hints: Readonly<Partial<Record<PropertyTest, string>>> = {
  in: "Several, separated by commas.",
  gte: "A number, or a date such as 2026-06-03.",
  lte: "A number, or a date such as 2026-06-03.",
};

/** Picks a property that the workspace has, how it is tested, and the value. A new name can be typed too. */
export function PropertyEditor({ workspaceId, subject, value, onValue }: PropertyEditorProps) {
  const started = propertyFilterOf(typeof value === "string" ? value : "");
  const properties = useProperties(workspaceId, subject);
  const [name, setName] = useState(started.name);
  const [chosen, setChosen] = useState<PropertyTest>(started.test);
  const [wanted, setWanted] = useState(started.value);
  const [refused, setRefused] = useState<"name" | "value" | null>(null);
  const property = properties.find((each) => each.name === name.trim());
  const tests = testsFor(property?.type, property);
  const test = tests.includes(chosen) ? chosen : (tests[0] ?? "is");
  const samples = property ? property.samples.map((sample) => String([sample].flat()[0])) : [];

  function submit(event: FormEvent) {
    event.preventDefault();
    const filter = { name: name.trim(), test, value: takesValue(test) ? wanted.trim() : "" };
    const wrong = !/^[a-z][a-z0-9_]{0,62}$/.test(filter.name)
      ? "name"
      : takesValue(test) && filter.value === ""
        ? "value"
        : null;
    setRefused(wrong);
    if (wrong === null) onValue(itemOf(filter));
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label="Property"
        hint={`Such as ${namesIn(properties)}.`}
        error={refused === "name" ? "Letters, digits and _, beginning with a letter." : undefined}
      >
        <Input
          autoFocus
          list="filter-properties"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <datalist id="filter-properties">
        {properties.map((each) => (
          <option key={each.name} value={each.name} />
        ))}
      </datalist>
      <Field label="Test">
        <Select
          value={test}
          onValueChange={setChosen}
          options={tests.map((each) => ({ value: each, label: testLabels[each] }))}
        />
      </Field>
      {takesValue(test) ? (
        <Field
          label="Value"
          hint={hints[test] ?? (samples.length > 0 ? `Such as ${samples.join(", ")}.` : undefined)}
          error={refused === "value" ? "Say what to compare with." : undefined}
        >
          <Input
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      ) : null}
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  );
}

/** Three to begin with: custom properties first, since the others are filters of their own already. */
const namesIn = (properties: readonly Property[]): string => {
  const known = properties.filter(({ records }) => records > 0).sort((a, b) => Number(a.standard) - Number(b.standard));
  return known.length === 0
    ? "job_title, region"
    : known
        .slice(0, 3)
        .map(({ name }) => name)
        .join(", ");
};
