"use client";

import { FileText } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { useBelongsTo } from "#components/frame/here.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { type Import, useImport } from "./calls.ts";
import { DiscardButton } from "./discard-button.tsx";
import { ReadDifferently } from "./file-facts.tsx";
import { Preparing } from "./preparing.tsx";
import { Result } from "./result.tsx";
import { kindLabels, pageOf, stateOf } from "./words.ts";

type ImportViewProps = { workspaceId: string; initial: Import };

/** One import: how its file is read, what it would do, how far it is, and its result. */
export function ImportView({ workspaceId, initial }: ImportViewProps) {
  const query = useImport(workspaceId, initial);
  const record = query.data;
  const { label, tone } = stateOf(record);
  useBelongsTo(pageOf(record.kind));
  const isOpen = record.run === null && ["reading", "ready"].includes(record.state);
  return (
    <>
      <PageHeader
        breadcrumbs={[
          { label: kindLabels[record.kind], href: `/${workspaceId}/${pageOf(record.kind)}` },
          { label: "Imports", href: `/${workspaceId}/imports?kind=${record.kind}` },
          { label: record.name },
        ]}
        title={record.name}
        aside={
          <span role="status" className="inline-flex">
            <Badge tone={tone}>{label}</Badge>
          </span>
        }
        actions={isOpen ? <DiscardButton workspaceId={workspaceId} id={record.id} /> : null}
      />
      <LoadProblem
        card
        title="This import could not be refreshed"
        query={query}
        note="What you see may be out of date."
      />
      <Body workspaceId={workspaceId} record={record} />
    </>
  );
}

function Body({ workspaceId, record }: { workspaceId: string; record: Import }) {
  const { state, kind, run, problem } = record;
  if (state === "uploading" || state === "reading") return <Reading />;
  if (state === "ready" || state === "checking") return <Preparing workspaceId={workspaceId} record={record} />;
  if (run) return <Result workspaceId={workspaceId} record={record} run={run} />;
  const another = (
    <Button asChild>
      <Link href={`/${workspaceId}/imports?kind=${kind}`}>Import another file</Link>
    </Button>
  );
  const canBeRead = state === "failed" && record.file.kept;
  return (
    <Card>
      {state === "failed" ? (
        <ErrorState
          title="This file could not be read"
          action={
            <>
              {canBeRead ? <ReadDifferently workspaceId={workspaceId} record={record} /> : null}
              {another}
            </>
          }
        >
          {problem}
        </ErrorState>
      ) : (
        <EmptyState icon={<FileText />} action={another}>
          This file was discarded. Nothing of it was imported.
        </EmptyState>
      )}
    </Card>
  );
}

/** A large file is read after the answer to its upload. */
function Reading() {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <Card className="flex flex-col gap-4 px-4 py-4">
      <p ref={text} tabIndex={-1} className="text-pretty outline-none">
        The file is read and its columns are detected. A large file takes a moment; you can leave this page.
      </p>
      <Loading label="Reading the file">
        <SkeletonText lines={4} />
      </Loading>
    </Card>
  );
}
