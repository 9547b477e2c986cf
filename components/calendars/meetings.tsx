"use client";

import { CalendarDays, MapPin } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { ConnectFirst } from "#components/integrations/connect-first.tsx";
import { ShareSelect } from "#components/mail/share-select.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { type Meeting, useMeetings, useShareMeeting } from "./calls.ts";
import { MeetingTime } from "./meeting-time.tsx";
import { shareWords } from "./share-words.ts";

type MeetingsProps = { workspaceId: string; id: string };

/** The meetings with a person, or with a company's people, as far as the reader may see them: those to come first. */
export function Meetings({ workspaceId, id }: MeetingsProps) {
  const query = useMeetings(workspaceId, id);
  const meetings = query.data?.pages.flatMap((page) => page.meetings) ?? [];
  const [now] = useState(() => Date.now());
  if (query.isPending)
    return (
      <Loading label="Loading the meetings">
        <SkeletonText lines={6} />
      </Loading>
    );
  if (query.error && !query.data) return <LoadProblem title="The meetings could not be loaded" query={query} />;
  if (meetings.length === 0)
    return (
      <ConnectFirst workspaceId={workspaceId} icon={<CalendarDays />} action="Connect your calendar">
        Meetings appear here when you or a colleague connects a calendar. Each of you chooses how much others see.
      </ConnectFirst>
    );
  const isOver = ({ ends_at: at }: Meeting) => Date.parse(at) <= now;
  const groups = [
    { title: "Upcoming", meetings: meetings.filter((one) => !isOver(one)), prepares: true },
    { title: "Past", meetings: meetings.filter(isOver), prepares: false },
  ];
  return (
    <div className="flex flex-col gap-4">
      {groups.map(({ title, meetings: theirs, prepares }) =>
        theirs.length === 0 ? null : (
          <section key={title} aria-label={title} className="flex flex-col gap-2">
            <p className="font-medium text-muted-foreground text-sm">{title}</p>
            <ul className="flex flex-col divide-y rounded-lg border bg-card">
              {theirs.map((meeting) => (
                <MeetingRow
                  key={meeting.id}
                  workspaceId={workspaceId}
                  meeting={meeting}
                  prepare={
                    prepares && !meeting.cancelled
                      ? `/${workspaceId}/accounts/${id}?tab=agents&intent=meeting_prep`
                      : null
                  }
                />
              ))}
            </ul>
          </section>
        ),
      )}
      {query.hasNextPage ? (
        <Button className="self-start" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      ) : null}
    </div>
  );
}

type MeetingRowProps = { workspaceId: string; meeting: Meeting; prepare: string | null };

function MeetingRow({ workspaceId, meeting, prepare }: MeetingRowProps) {
  const [open, setOpen] = useState(false);
  const panel = `meeting-${meeting.id}`;
  const { title, cancelled, repeats } = meeting;
  return (
    <li>
      <div className="flex items-center gap-2 pr-3">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => setOpen(!open)}
          className="flex min-w-0 flex-1 flex-col gap-0.5 px-4 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <span className="flex w-full items-baseline gap-2">
            <span className={`min-w-0 truncate font-medium ${cancelled ? "line-through" : ""}`}>
              {title ?? "Meeting"}
            </span>
            {cancelled ? <Badge>Cancelled</Badge> : null}
            {repeats && !cancelled ? <Badge>Repeats</Badge> : null}
          </span>
          <span className="text-muted-foreground text-sm">
            <MeetingTime meeting={meeting} />
          </span>
          <span className="w-full truncate text-muted-foreground text-sm">{peopleIn(meeting)}</span>
        </button>
        {prepare ? (
          <Button asChild size="sm">
            <Link href={prepare} prefetch={false} aria-label={`Prepare ${title ?? "the meeting"}`}>
              Prepare
            </Link>
          </Button>
        ) : null}
      </div>
      <div id={panel}>{open ? <MeetingDetails workspaceId={workspaceId} meeting={meeting} /> : null}</div>
    </li>
  );
}

/** Such as "Anna Smith, ben@acme.com and 3 more". */
function peopleIn({ guests }: Meeting): string {
  const names = guests.map(({ name, address }) => name ?? address);
  if (names.length <= 3) return names.join(", ");
  return `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}

const answers = { accepted: "accepted", declined: "declined", tentative: "maybe", none: "no answer" } as const;

function MeetingDetails({ workspaceId, meeting }: { workspaceId: string; meeting: Meeting }) {
  const { guests, location, description, mine, shared, visible } = meeting;
  const share = useShareMeeting(workspaceId, meeting.id);
  const set = (level: ShareLevel | null) => share.mutate(level, { onError: toastProblem });
  return (
    <div className="flex flex-col gap-3 border-t px-4 py-3 text-sm">
      {location ? (
        <p className="wrap-anywhere flex items-start gap-2">
          <MapPin aria-label="Place" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
          {location}
        </p>
      ) : null}
      <ul aria-label="Guests" className="flex flex-col gap-1">
        {guests.map(({ address, name, answer }) => (
          <li key={address} className="wrap-anywhere">
            {name ? `${name} (${address})` : address} <span className="text-muted-foreground">{answers[answer]}</span>
          </li>
        ))}
      </ul>
      {description ? <p className="wrap-anywhere whitespace-pre-wrap">{description}</p> : null}
      {mine ? (
        <p className="flex flex-wrap items-center gap-2 text-muted-foreground" data-writes>
          Others can see
          <ShareSelect
            aria-label="What others can see of this meeting"
            words={shareWords}
            value={shared}
            onChange={set}
            disabled={share.isPending}
            size="sm"
            className="w-36"
          />
        </p>
      ) : visible === "metadata" ? (
        <p className="text-muted-foreground">Your colleague shares who and when.</p>
      ) : null}
    </div>
  );
}
