"use client";

import { History as Past } from "lucide-react";
import Link from "next/link";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { type Import, type ImportPage, useImports } from "./calls.ts";
import { figure, kindLabels, outcomeLooks, outcomes, rowsWords, stateOf } from "./words.ts";

type HistoryProps = { workspaceId: string; initial: ImportPage; members: Readonly<Record<string, string>> };

/** The imports of the workspace, newest first: their state, result, author and time. */
export function History({ workspaceId, initial, members }: HistoryProps) {
  const query = useImports(workspaceId, initial);
  const imports = query.data.pages.flatMap((page) => page.imports);
  return (
    <Card aria-labelledby="import-history">
      <CardHeader titleId="import-history" title="History" />
      <div className="border-t">
        <LoadProblem title="The history could not be refreshed" query={query} note="What you see may be out of date." />
        {imports.length === 0 ? (
          <EmptyState icon={<Past />}>
            Imports are listed here, with the result of each row. Each can be undone.
          </EmptyState>
        ) : (
          <ul aria-label="Imports" className="divide-y">
            {imports.map((each) => (
              <PastImport key={each.id} workspaceId={workspaceId} record={each} members={members} />
            ))}
          </ul>
        )}
      </div>
      <ShowOlder query={query} />
    </Card>
  );
}

type PastImportProps = { workspaceId: string; record: Import; members: Readonly<Record<string, string>> };

function PastImport({ workspaceId, record, members }: PastImportProps) {
  const { id, name, kind, created_by, created_at } = record;
  const { label, tone } = stateOf(record);
  return (
    <li className="relative flex items-start justify-between gap-4 px-4 py-2.5 hover:bg-hover/60">
      <div className="min-w-0">
        <Link
          href={`/${workspaceId}/imports/${id}`}
          prefetch={false}
          className="wrap-anywhere font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        <p className="text-pretty text-muted-foreground text-sm">
          {kindLabels[kind]} · {countsWords(record)}
        </p>
        <p className="text-muted-foreground text-sm">
          {makerOf(created_by, members)},{" "}
          <span className="relative z-1">
            <RelativeTime value={created_at} />
          </span>
        </p>
      </div>
      <Badge tone={tone}>{label}</Badge>
    </li>
  );
}

/** What came of an import, or how much there is to import. */
function countsWords({ run, format }: Import): string {
  if (run) return outcomes.map((each) => `${figure(run[each])} ${outcomeLooks[each].label.toLowerCase()}`).join(", ");
  return typeof format?.rows === "number" ? rowsWords(format.rows) : "not read yet";
}

const makers: Readonly<Record<string, string>> = {
  api_key: "An API key",
  mcp: "An agent",
  cli: "The command line",
};

/** `user:<id>` as the member's name. */
function makerOf(createdBy: string, members: Readonly<Record<string, string>>): string {
  const [type = "", id = ""] = createdBy.split(":");
  return type === "user" ? (members[id] ?? "A former member") : (makers[type] ?? "A program");
}
