"use client";

import { type FormEvent, useState } from "react";
import { wordsOf } from "#components/records/names.ts";
import type { Problem } from "#components/records/problem.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { FactInput } from "./fact-input.tsx";
import { type FactValue, kindOf, textOf, valueFrom } from "./fact-kinds.ts";

type FactEditorProps = {
  workspaceId: string;
  property: string;
  value: FactValue;
  /** Of the company that is the value. */
  name: string | undefined;
  /** What was typed before the server refused it, and why. */
  refused: { text: string; problem: Problem } | null;
  /** Values that other records have. */
  samples: readonly string[];
  onSave: (value: FactValue, text: string) => void;
  onCancel: () => void;
};

const hints = { list: "One per line.", json: "JSON." } as const;

/** The row of a fact while its value is edited. Enter saves, Escape leaves it as it was. */
export function FactEditor({
  workspaceId,
  property,
  value,
  name,
  refused,
  samples,
  onSave,
  onCancel,
}: FactEditorProps) {
  const kind = kindOf(property, value);
  const [text, setText] = useState(refused?.text ?? textOf(kind, value));
  const [problem, setProblem] = useState<Problem | null>(refused?.problem ?? null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const read =
      kind === "company" && text === "" ? { refusal: "Choose a company from the list." } : valueFrom(kind, text);
    if ("refusal" in read) return setProblem({ message: read.refusal });
    onSave(read.value, text);
  }

  return (
    <form
      noValidate
      aria-label={`Edit ${wordsOf(property)}`}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onCancel();
      }}
      className="flex flex-col gap-2 px-4 py-3"
    >
      <Field
        label={wordsOf(property)}
        error={problem?.signedOut ? undefined : problem?.message}
        hint={kind === "list" || kind === "json" ? hints[kind] : undefined}
        className="max-w-xl"
      >
        <FactInput
          workspaceId={workspaceId}
          kind={kind}
          text={text}
          onText={setText}
          samples={samples}
          name={name}
          autoFocus
        />
      </Field>
      <Refusal problem={problem?.signedOut ? problem : null} />
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary">
          Save
        </Button>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
