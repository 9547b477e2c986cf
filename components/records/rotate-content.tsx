"use client";

import { useState } from "react";
import { DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { useSubmit } from "./use-submit.ts";

type RotateContentProps = {
  title: string;
  description: string;
  field: { label: string; hint: string };
  submit: string;
  /** What the old secret does until it ends: "Works", "Signs". */
  verb: { at_once: string; goes_on: string };
  /** For how many hours the old one may go on; 0 ends it at once. */
  hours: readonly number[];
  rotate: (overlapHours: number) => Promise<unknown>;
};

/** The form that replaces a secret and says how long the old one goes on working; goes into a Dialog. */
export function RotateContent(props: RotateContentProps) {
  const { title, description, field, submit, verb, hours, rotate } = props;
  const [overlap, setOverlap] = useState("24");
  const sending = useSubmit(() => rotate(Number(overlap)));
  const options = hours.map((count) => ({
    value: String(count),
    label: count === 0 ? verb.at_once : `${verb.goes_on} for ${durationOf(count)}`,
  }));
  return (
    <DialogContent title={title} description={description}>
      <form onSubmit={sending.submit}>
        <DialogBody>
          <Field label={field.label} hint={field.hint}>
            <Select options={options} value={overlap} onValueChange={setOverlap} />
          </Field>
          <p role="alert" className="text-danger-text text-sm empty:hidden">
            {sending.problem}
          </p>
        </DialogBody>
        <DialogSubmit label={submit} busy={sending.busy} />
      </form>
    </DialogContent>
  );
}

function durationOf(hours: number): string {
  if (hours === 1) return "1 more hour";
  return hours > 24 ? `${hours / 24} more days` : `${hours} more hours`;
}
