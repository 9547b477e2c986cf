"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { useReturnFocus } from "./focus.ts";
import { MAX_CATEGORY } from "./limits.ts";

const ideas = ["Objections", "Personas", "Case studies", "Partners", "Tone of voice"];

export type CategoryDialogProps = {
  /** Names in use: adding one of these adds an entry to it. */
  categories: readonly string[];
  onAdd: (category: string) => void;
  onClose: () => void;
};

/** Names a new category of the workspace; it exists once its first entry is saved. */
export function CategoryDialog({ categories, onAdd, onClose }: CategoryDialogProps) {
  const returnFocus = useReturnFocus();
  const [name, setName] = useState("");
  const [tried, setTried] = useState(false);
  const problem = problemWith(name);

  function add(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (problem) return;
    onAdd(categories.find((category) => sameName(category, name)) ?? name.trim());
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title="Add a category"
        description="Your own section, next to the eight standard ones."
        onCloseAutoFocus={returnFocus}
      >
        <form onSubmit={add} noValidate>
          <DialogBody>
            <Field label="Name" error={tried ? problem : undefined} hint="The name that agents see.">
              <Input
                value={name}
                onChange={(event) => setName(event.target.value)}
                placeholder="Objections"
                autoComplete="off"
                maxLength={MAX_CATEGORY * 2}
              />
            </Field>
            <fieldset className="flex flex-wrap gap-2">
              <legend className="sr-only">Ideas</legend>
              {ideas
                .filter((idea) => !categories.some((category) => sameName(category, idea)))
                .map((idea) => (
                  <Button key={idea} size="sm" onClick={() => setName(idea)}>
                    {idea}
                  </Button>
                ))}
            </fieldset>
          </DialogBody>
          <DialogSubmit label="Continue" />
        </form>
      </DialogContent>
    </Dialog>
  );
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

function problemWith(name: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return "Enter a name for the category.";
  if (trimmed.length > MAX_CATEGORY) return `A name has at most ${MAX_CATEGORY} characters.`;
  if (/[,\p{Cc}]/u.test(trimmed))
    return "A name cannot have commas: agents ask for categories in a comma-separated list.";
  return undefined;
}
