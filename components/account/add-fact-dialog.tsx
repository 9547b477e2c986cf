"use client";

import { type FormEvent, useState } from "react";
import { wordsOf } from "#components/records/names.ts";
import type { Problem } from "#components/records/problem.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { useProperties } from "#components/records/use-properties.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Account } from "./calls.ts";
import { FactInput } from "./fact-input.tsx";
import { type FactKind, type FactValue, kindOf, valueFrom } from "./fact-kinds.ts";

type AddFactDialogProps = {
  workspaceId: string;
  account: Account;
  /** Null: it is recorded. */
  onAdd: (property: string, value: FactValue) => Promise<Problem | null>;
  onClose: () => void;
};

const types = [
  { value: "text", label: "Text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Yes or no" },
  { value: "date", label: "Date" },
  { value: "list", label: "List" },
] as const;
type Type = (typeof types)[number]["value"];

/** What is set in other places of the page. */
const elsewhere = new Set([
  "email",
  "linkedin_url",
  "domain",
  "last_activity_at",
  "created_at",
  "updated_at",
  "source",
]);

/** `Budget EUR` as `budget_eur`. */
const nameIn = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");

/** Adds a fact: one that other records have, or a new one. */
export function AddFactDialog({ workspaceId, account, onAdd, onClose }: AddFactDialogProps) {
  const subject = account.type === "company" ? "company" : "person";
  const properties = useProperties(workspaceId, subject).filter(
    ({ name }) => !elsewhere.has(name) && account.claims[name] === undefined,
  );
  const [name, setName] = useState("");
  const [type, setType] = useState<Type>("text");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<(Problem & { field: "name" | "value" | null }) | null>(null);
  const [busy, setBusy] = useState(false);
  const property = nameIn(name);
  const chosenProperty = properties.find((each) => each.name === property);
  const kind: FactKind = kindOf(property, undefined, chosenProperty?.type ?? type);
  const on = (field: "name" | "value") =>
    problem?.field === field && !problem.signedOut ? problem.message : undefined;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const wrong = wrongName(property, account);
    if (wrong) return setProblem({ field: "name", message: wrong });
    const read = valueFrom(kind, text);
    if ("refusal" in read) return setProblem({ field: "value", message: "Enter a value." });
    setBusy(true);
    const refused = await onAdd(property, read.value);
    if (refused === null) return onClose();
    setBusy(false);
    setProblem({ ...refused, field: "value" });
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title="Add a fact" description={`What you know about ${account.name}.`}>
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label="Fact" error={on("name")} hint="Choose one that others have, or name a new one.">
              <Input
                autoFocus
                list="fact-names"
                value={name}
                maxLength={63}
                onChange={({ target }) => {
                  setName(target.value);
                  setText("");
                  setProblem(null);
                }}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            <datalist id="fact-names">
              {properties.map((each) => (
                <option key={each.name} value={each.name}>
                  {wordsOf(each.name)}
                </option>
              ))}
            </datalist>
            {chosenProperty || kind === "country" || kind === "stage" || kind === "company" ? null : (
              <Field label="Type">
                <Select
                  options={types}
                  value={type}
                  onValueChange={(next) => {
                    setType(next);
                    setText("");
                    setProblem(null);
                  }}
                />
              </Field>
            )}
            <Field label="Value" error={on("value")} hint={kind === "list" ? "One per line." : undefined}>
              <FactInput
                key={kind}
                workspaceId={workspaceId}
                kind={kind}
                text={text}
                onText={setText}
                samples={chosenProperty ? chosenProperty.samples.map((sample) => String([sample].flat()[0])) : []}
              />
            </Field>
            <Refusal problem={problem?.signedOut ? problem : null} />
          </DialogBody>
          <DialogSubmit label="Add fact" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** Why a fact cannot have this name; null when it can. */
function wrongName(property: string, account: Account): string | null {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(property)) return "Letters, digits and spaces, beginning with a letter.";
  if (account.claims[property] !== undefined) return `${wordsOf(property)} is there already. Edit it in the list.`;
  if (property === "email" || property === "linkedin_url" || property === "domain")
    return "Add it under “Contact details”, beside the list.";
  return null;
}
