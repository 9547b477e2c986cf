"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Import } from "./calls.ts";
import { bytesWords, delimiterLabels, encodingLabels, figure } from "./words.ts";

const ReadingDialog = onDemand("How the file is read", () =>
  import("./reading-dialog.tsx").then((module) => module.ReadingDialog),
);

type FileFactsProps = { workspaceId: string; record: Import; disabled: boolean };

/** What was found out about the file. */
export function FileFacts({ workspaceId, record, disabled }: FileFactsProps) {
  const { file, format } = record;
  return (
    <Card aria-label="The file" className="flex flex-wrap items-center gap-x-8 gap-y-3 px-4 py-3">
      <dl className="flex flex-1 flex-wrap gap-x-8 gap-y-3 max-md:basis-full">
        <Fact label="File">
          {file.name ?? "Sent without a name"}, {bytesWords(file.bytes)}
        </Fact>
        {format ? (
          <>
            {format.rows === null ? null : <Fact label="Rows">{figure(format.rows)}</Fact>}
            <Fact label="Headers in">Row {figure(format.header_row)}</Fact>
            <Fact label="Separated by">{delimiterLabels[format.delimiter]}</Fact>
            <Fact label="Encoding">{encodingLabels[format.encoding]}</Fact>
          </>
        ) : null}
      </dl>
      <ReadDifferently workspaceId={workspaceId} record={record} disabled={disabled} />
    </Card>
  );
}

type ReadDifferentlyProps = Omit<FileFactsProps, "disabled"> & { disabled?: boolean };

/** Asks how the file is to be read, when what was found out is wrong. */
export function ReadDifferently({ workspaceId, record, disabled = false }: ReadDifferentlyProps) {
  const [changing, setChanging] = useState(false);
  return (
    <>
      <Button size="sm" disabled={disabled} onClick={() => setChanging(true)}>
        Read it differently…
      </Button>
      {changing ? <ReadingDialog workspaceId={workspaceId} record={record} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground text-sm">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
