"use client";

import { useState } from "react";
import { blockedIn } from "#components/integrations/sources.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { CalendarChoice, chosenOf, PeopleFields, type ReadTerms } from "./calendar-fields.tsx";
import { type Calendar, useChangeCalendar, useServerCalendars } from "./calls.ts";
import { nameOf } from "./name-of.ts";

type EditCalendarDialogProps = { workspaceId: string; calendar: Calendar; onClose: () => void };

/** What of connected calendars is read. It says what goes before it goes. */
export function EditCalendarDialog({ workspaceId, calendar, onClose }: EditCalendarDialogProps) {
  const { chosen } = calendar;
  const [terms, setTerms] = useState({ addContacts: calendar.add_contacts, blocked: calendar.blocked.join("\n") });
  /** null: as it is now */
  const [left, setLeft] = useState<ReadonlySet<string> | null>(null);
  const server = useServerCalendars(workspaceId, calendar.id);
  const change = useChangeCalendar(workspaceId, calendar.id);
  const there = server.data?.calendars ?? [];
  const leftNow = new Set(there.flatMap(({ url }) => (chosen.length === 0 || chosen.includes(url) ? [] : url)));
  const read: ReadTerms = { ...terms, left: left ?? leftNow };
  const blocked = blockedIn(terms.blocked);
  const removed = removedBy(
    calendar.calendars.filter(({ url }) => read.left.has(url)).map(({ name }) => name),
    blocked.some((one) => !calendar.blocked.includes(one)),
  );

  const { submit, busy, problem } = useSubmit(async () => {
    await change.mutateAsync({
      ...{ add_contacts: terms.addContacts, blocked },
      ...(left ? { calendars: chosenOf(there, read) } : {}),
    });
    toast.success(`${nameOf(calendar)} is changed.`);
    onClose();
  });
  const set = ({ left: nextLeft, ...next }: Partial<ReadTerms>) => {
    if (nextLeft) setLeft(nextLeft);
    setTerms({ ...terms, ...next });
  };

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={`What is read from ${nameOf(calendar)}`}
        description="Applies to the last 90 days and to everything that is to come."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            {server.isPending ? (
              <Loading label="Loading the calendars">
                <SkeletonText lines={2} />
              </Loading>
            ) : null}
            <LoadProblem title="The calendars could not be loaded" query={server} className="px-0" />
            <CalendarChoice calendars={there} terms={read} onChange={set} />
            <PeopleFields terms={read} onChange={set} />
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem ?? removed}
            </div>
          </DialogBody>
          <DialogSubmit
            label={removed === null ? "Save" : "Save and remove"}
            disabled={there.length > 0 && there.every(({ url }) => read.left.has(url))}
            busy={busy}
          />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** What saving removes, in words; null: nothing. */
function removedBy(names: readonly string[], blocksMore: boolean): string | null {
  const parts = [
    ...(names.length > 0 ? [`the meetings of ${names.map((name) => `“${name}”`).join(", ")}`] : []),
    ...(blocksMore ? ["those with people you block"] : []),
  ];
  return parts.length === 0
    ? null
    : `Saving removes ${parts.join(" and ")} from Rapport and from timelines. What a colleague's calendar has too stays.`;
}
