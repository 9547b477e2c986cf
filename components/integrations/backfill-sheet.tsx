"use client";

import Link from "next/link";
import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Sheet, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { type Backfill, type BackfillContact, useBackfillContacts } from "./calls.ts";
import { PageButtons } from "./page-buttons.tsx";

type BackfillSheetProps = { workspaceId: string; backfill: Backfill; onClose: () => void };

const PAGE = 50;

/** What was found for each contact, in the order they are looked up. */
export function BackfillSheet({ workspaceId, backfill, onClose }: BackfillSheetProps) {
  const [offset, setOffset] = useState(0);
  const query = useBackfillContacts(workspaceId, backfill.id, offset);
  const { data } = query;
  return (
    <Sheet open onOpenChange={(next) => (next ? undefined : onClose())}>
      <SheetContent title="Past bookings by contact">
        <LoadProblem title="The list could not be loaded" query={query} />
        {query.error ? null : data ? (
          <ol className="divide-y">
            {data.contacts.map((contact) => (
              <li key={contact.email} className="flex flex-col gap-0.5 px-5 py-2">
                <Link
                  href={`/${workspaceId}/accounts/${contact.contact_id}`}
                  className="wrap-anywhere self-start rounded-xs font-medium hover:underline"
                >
                  {contact.email}
                </Link>
                <span className="text-pretty text-muted-foreground text-sm">{wordsOf(contact)}</span>
              </li>
            ))}
          </ol>
        ) : (
          <Loading label="Loading contacts">
            <div className="flex flex-col gap-3 px-5 py-3">
              {["a", "b", "c", "d"].map((row) => (
                <Skeleton key={row} className="h-8" />
              ))}
            </div>
          </Loading>
        )}
        {offset > 0 || data?.has_more ? (
          <PageButtons
            onPrevious={offset > 0 ? () => setOffset(Math.max(0, offset - PAGE)) : null}
            onNext={data?.has_more ? () => setOffset(offset + PAGE) : null}
          />
        ) : null}
      </SheetContent>
    </Sheet>
  );
}

function wordsOf({ looked_up, logged, present, skipped, problem }: BackfillContact): string {
  if (problem) return problem;
  if (!looked_up) return "Not looked up yet.";
  if (logged + present + skipped === 0) return "No bookings.";
  return `${logged} logged, ${present} already there, ${skipped} skipped.`;
}
