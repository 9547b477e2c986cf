"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { callOperation } from "#components/api.ts";
import { patchImport } from "#components/operations/imports.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { useSending } from "#components/records/use-sending.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { type Import, importKey } from "./calls.ts";
import { delimiterLabels, encodingLabels } from "./words.ts";

type ReadingDialogProps = { workspaceId: string; record: Import; onClose: () => void };

const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

/** Has the file read again in another way. */
export function ReadingDialog({ workspaceId, record, onClose }: ReadingDialogProps) {
  const queries = useQueryClient();
  const { id, format } = record;
  const [encoding, setEncoding] = useState(format?.encoding ?? "utf-8");
  const [delimiter, setDelimiter] = useState(format?.delimiter ?? ",");
  const [headerRow, setHeaderRow] = useState(String(format?.header_row ?? 1));
  const [wrongRow, setWrongRow] = useState(false);
  const { problem, busy, send } = useSending();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const row = Number(headerRow);
    const isRow = Number.isInteger(row) && row >= 1 && row <= 1_000;
    setWrongRow(!isRow);
    if (!isRow) return;
    await send(async () => {
      const wish = { encoding, delimiter, header_row: row };
      const answer = await callOperation(patchImport, workspaceId, { id, ...wish });
      await queries.cancelQueries({ queryKey: importKey({ workspaceId, id }) });
      queries.setQueryData(importKey({ workspaceId, id }), answer.import);
      onClose();
    });
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title="Read the file differently"
        description="The file is read again, and its columns are proposed again."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field
              label="Row with the headers"
              hint="Rows above it are skipped."
              error={wrongRow ? "A row from 1 to 1,000." : undefined}
            >
              <Input
                inputMode="numeric"
                value={headerRow}
                onChange={(event) => setHeaderRow(event.target.value)}
                autoComplete="off"
              />
            </Field>
            <Field label="Columns are separated by">
              <Select value={delimiter} onValueChange={setDelimiter} options={optionsOf(delimiterLabels)} />
            </Field>
            <Field label="Encoding" hint="Choose another one when letters such as é or ß look wrong.">
              <Select value={encoding} onValueChange={setEncoding} options={optionsOf(encodingLabels)} />
            </Field>
            <Refusal problem={problem} />
          </DialogBody>
          <DialogSubmit label="Read again" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
