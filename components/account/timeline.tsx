"use client";

import { Activity } from "lucide-react";
import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { wordsOf } from "#components/records/names.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Calls, Event, TimelinePage } from "./calls.ts";
import { EventDays } from "./event-days.tsx";
import type { Moment } from "./moment.ts";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { useEventChanges } from "./use-event-changes.ts";
import { useMailOf } from "./use-mail-of.ts";
import { useTimeline } from "./use-timeline.ts";

type TimelineProps = {
  workspaceId: string;
  id: string;
  calls: Calls;
  moment: Moment;
  first: { page: TimelinePage; readAt: number };
  type: string | null;
  onType: (type: string | null) => void;
  example: string;
  refresh: () => Promise<void>;
};

const EditEventDialog = onDemand("“Correct”", () =>
  import("./edit-event-dialog.tsx").then((module) => module.EditEventDialog),
);

const EVERY = "every";

/** Everything that happened, by day, the latest first. */
export function Timeline({ workspaceId, id, calls, moment, first, type, onType, example, refresh }: TimelineProps) {
  const timeline = useTimeline({ workspaceId, id, calls, type, moment, first });
  const { events, hasNextPage, isFetchNextPageError } = timeline;
  const [edited, setEdited] = useState<Event | null>(null);
  const mailOf = useMailOf(workspaceId, events);
  const changes = useEventChanges({ calls, change: timeline.change, refresh });
  // A note is corrected as a note.
  const actionsOf = (event: Event) =>
    event.property === "note.saved"
      ? undefined
      : { onEdit: () => setEdited(event), onRemove: () => void changes.remove(event) };
  const types = [...new Set([...first.page.events, ...events].map((event) => event.type)), ...(type ? [type] : [])];

  const failed = timeline.error !== null && !isFetchNextPageError;
  if (failed && !timeline.data) return <LoadProblem title="The timeline could not be loaded" query={timeline} />;
  return (
    <div className="flex flex-col gap-4">
      {failed ? (
        <LoadProblem
          title="The timeline could not be refreshed"
          query={timeline}
          note="What you see may be out of date."
          className="px-0"
        />
      ) : null}
      {types.length > 1 || type ? (
        <Select
          aria-label="Type of activity"
          size="sm"
          className="w-48"
          value={type ?? EVERY}
          onValueChange={(next) => onType(next === EVERY ? null : next)}
          options={[
            { value: EVERY, label: "Every activity" },
            ...[...new Set(types)].sort().map((each) => ({ value: each, label: wordsOf(each) })),
          ]}
        />
      ) : null}
      {timeline.isPending ? <TimelineSkeleton /> : null}
      {!timeline.isPending && events.length === 0 && !hasNextPage ? (
        <EmptyState
          icon={<Activity />}
          className="px-0"
          {...(moment || type ? {} : { example: { label: "What an agent sends", code: example } })}
        >
          {moment
            ? "Nothing had happened by then."
            : "E-mails, meetings, calls and visits appear here as agents and integrations report them."}
        </EmptyState>
      ) : null}
      <EventDays
        workspaceId={workspaceId}
        events={events}
        ownerId={id}
        pages={timeline}
        skeleton={<TimelineSkeleton />}
        mailOf={mailOf}
        {...(moment === null ? { actionsOf } : {})}
      />
      {edited ? <EditEventDialog event={edited} onSave={changes.correct} onClose={() => setEdited(null)} /> : null}
    </div>
  );
}
