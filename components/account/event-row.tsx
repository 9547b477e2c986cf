"use client";

import Link from "next/link";
import { sourceWords, wordsOf } from "#components/records/names.ts";
import { stageLabels, stageTones } from "#components/records/stages.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { Event } from "./calls.ts";
import { dayOf } from "./days.ts";
import { EventIcon } from "./event-looks.tsx";
import { nounOf } from "./event-words.ts";

type EventRowProps = {
  event: Event;
  workspaceId: string;
  /** Whose timeline it is: an event with somebody else then names them. Absent: every event names its person. */
  ownerId?: string;
  zone: string | undefined;
  /** The day it is listed under, in the zone; an event of another day shows its own. */
  day: string;
};

/** One entry of a timeline. */
export function EventRow({ event, workspaceId, ownerId, zone, day }: EventRowProps) {
  const at = new Date(event.observed_at);
  const inZone = zone ? { timeZone: zone } : {};
  const clock = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...inZone });
  const time =
    dayOf(event.observed_at, zone) === day
      ? clock
      : `${at.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", ...inZone })}, ${clock}`;
  return (
    <li className="relative flex gap-3 pb-4 before:absolute before:top-7 before:bottom-0 before:left-3 before:w-px before:bg-border last:pb-0 last:before:hidden">
      <span className="grid size-6 shrink-0 place-items-center rounded-full border bg-card text-muted-foreground">
        <EventIcon type={event.type} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{wordsOf(event.type)}</span>
          {event.entity_id !== ownerId ? (
            <Link
              href={`/${workspaceId}/accounts/${event.entity_id}`}
              prefetch={false}
              className="rounded-xs text-primary-text hover:underline"
            >
              {event.entity_name}
            </Link>
          ) : null}
          <Tooltip content={`Recorded ${new Date(event.recorded_at).toLocaleString()}`}>
            <time dateTime={event.observed_at} className="text-muted-foreground text-sm">
              {time}
            </time>
          </Tooltip>
          <span className="text-muted-foreground text-sm">{sourceWords(event.source)}</span>
        </p>
        {event.stage_change ? (
          <p className="text-muted-foreground text-sm">
            Moved to <Badge tone={stageTones[event.stage_change.to]}>{stageLabels[event.stage_change.to]}</Badge>{" "}
            because of this {nounOf(event.type)}
          </p>
        ) : null}
        {event.summary ? <p className="wrap-anywhere whitespace-pre-line text-pretty">{event.summary}</p> : null}
      </div>
    </li>
  );
}
