"use client";

import Link from "next/link";
import { WordDiff } from "#components/records/word-diff.tsx";
import type { ProposedChange } from "#lib/domain/access/approvals/contract.ts";
import type { Changes } from "./calls.ts";

type ProposedChangesProps = { workspaceId: string; changes: Changes };

/** What would change, now and then. */
export function ProposedChanges({ workspaceId, changes: { about, is_new, changes, left_out } }: ProposedChangesProps) {
  return (
    <div className="flex flex-col gap-3">
      {about && about.type !== "workspace" ? (
        <p className="text-muted-foreground text-sm">
          On{" "}
          <Link
            href={`/${workspaceId}/accounts/${about.id}`}
            className="text-primary-text underline underline-offset-4"
          >
            {about.name}
          </Link>
        </p>
      ) : null}
      {is_new ? (
        <p className="text-muted-foreground text-sm">This record does not exist yet. It would be created.</p>
      ) : null}
      <dl className="flex flex-col divide-y rounded-md border">
        {changes.map((change, place) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the changes are a sequence and have no other name
            key={place}
            className="grid gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="wrap-anywhere text-muted-foreground text-sm leading-5">{change.label}</dt>
            <dd className="max-h-96 min-w-0 overflow-y-auto" {...(isLong(change) ? { tabIndex: 0 } : {})}>
              <NowAndThen {...change} />
            </dd>
          </div>
        ))}
      </dl>
      {left_out > 0 ? (
        <p className="text-muted-foreground text-sm">
          {left_out} more {left_out === 1 ? "change is" : "changes are"} not shown here.
        </p>
      ) : null}
    </div>
  );
}

/** What may scroll can be reached by keyboard. */
const isLong = ({ before, after }: ProposedChange): boolean => (before?.length ?? 0) + (after?.length ?? 0) > 600;

function NowAndThen({ kind, before, after }: ProposedChange) {
  if (before === after) {
    return (
      <p className="wrap-anywhere whitespace-pre-wrap">
        {after ?? "Nothing"} <span className="text-muted-foreground text-sm">(as it is now)</span>
      </p>
    );
  }
  if (before === null) return <p className="wrap-anywhere whitespace-pre-wrap">{after ?? "Removed"}</p>;
  if (kind === "text" && after !== null) return <WordDiff before={before} after={after} />;
  return (
    <p className="wrap-anywhere whitespace-pre-wrap">
      <del className="rounded-xs bg-danger-soft text-danger-text decoration-1">{before}</del>
      <span className="sr-only"> becomes </span>
      <span aria-hidden="true" className="text-muted-foreground">
        {" → "}
      </span>
      {after === null ? (
        <span className="text-muted-foreground">nothing</span>
      ) : (
        <ins className="rounded-xs bg-success-soft text-success-text decoration-1 underline-offset-2">{after}</ins>
      )}
    </p>
  );
}
