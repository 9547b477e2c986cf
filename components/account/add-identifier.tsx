"use client";

import { type FormEvent, useState } from "react";
import { wordsOf } from "#components/records/names.ts";
import type { Problem } from "#components/records/problem.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { IdentifierKind } from "./calls.ts";

type AddIdentifierProps = {
  kinds: readonly IdentifierKind[];
  /** Null: it is added. */
  onAdd: (kind: IdentifierKind, value: string) => Promise<Problem | null>;
  onClose: () => void;
};

/** A small form above the identifiers. Escape closes it. */
export function AddIdentifier({ kinds, onAdd, onClose }: AddIdentifierProps) {
  const [kind, setKind] = useState<IdentifierKind>(kinds[0] ?? "email");
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (value.trim() === "") return setProblem({ message: "Enter the address." });
    setBusy(true);
    const refused = await onAdd(kind, value.trim());
    if (refused === null) return onClose();
    setProblem(refused);
    setBusy(false);
  }

  return (
    <form
      noValidate
      aria-label="Add an address"
      onSubmit={submit}
      onKeyDown={(event) => (event.key === "Escape" && !event.defaultPrevented ? onClose() : undefined)}
      className="flex flex-col gap-2 border-b pt-1 pb-3"
    >
      <Field label="Kind" hideLabel>
        <Select
          size="sm"
          options={kinds.map((each) => ({ value: each, label: wordsOf(each) }))}
          value={kind}
          onValueChange={setKind}
        />
      </Field>
      <Field label={wordsOf(kind)} hideLabel error={problem?.signedOut ? undefined : problem?.message}>
        <Input
          autoFocus
          type="text"
          inputMode={kind === "email" ? "email" : "url"}
          value={value}
          placeholder={placeholders[kind]}
          maxLength={500}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setValue(target.value)}
        />
      </Field>
      <Refusal problem={problem?.signedOut ? problem : null} />
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" loading={busy}>
          Add
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const placeholders: Readonly<Record<IdentifierKind, string>> = {
  email: "anna@acme.com",
  linkedin_url: "linkedin.com/in/anna-smith",
  domain: "acme.com",
};
