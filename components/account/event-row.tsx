"use client";

import { Ellipsis, History, PencilLine, X } from "lucide-react";
import Link from "next/link";
import { threadPath } from "#components/mail/thread-path.ts";
import { sourceWords, wordsOf } from "#components/records/names.ts";
import { stageLabels, stageTones } from "#components/records/stages.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { timeAs } from "#components/ui/times.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import { clip } from "#lib/text/clip.ts";
import type { Event } from "./calls.ts";
import { EventIcon } from "./event-looks.tsx";
import { lateWords, nounOf } from "./event-words.ts";

/** What an event that is an e-mail is about. */
export type EventMail = { thread_id: string; subject: string | null; snippet: string | null };

type EventRowProps = {
  event: Event;
  workspaceId: string;
  /** Whose timeline it is: an event with someone else then names them. Absent: every event names its person. */
  ownerId?: string;
  zone: string | undefined;
  /** It is listed without its day. */
  isAhead?: boolean | undefined;
  /** Absent where nothing can be corrected. */
  actions?: { onEdit: () => void; onRemove: () => void } | undefined;
  mail?: EventMail | undefined;
};

/** One entry of a timeline. */
export function EventRow({ event, workspaceId, ownerId, zone, isAhead, actions, mail }: EventRowProps) {
  const at = new Date(event.observed_at);
  const recorded = timeAs("exact", new Date(event.recorded_at));
  const late = lateWords(event);
  return (
    <li className="group/event relative flex gap-3 pb-4 before:absolute before:top-7 before:bottom-0 before:left-3 before:w-px before:bg-border last:pb-0 last:before:hidden">
      <span className="grid size-6 shrink-0 place-items-center rounded-full border bg-card text-muted-foreground">
        <EventIcon type={event.type} />
      </span>
      <div className="min-w-0 flex-1 gap-x-6 @4xl:grid @4xl:grid-cols-[17rem_minmax(0,1fr)_auto]">
        <p className="flex flex-wrap items-baseline gap-x-2 @4xl:contents">
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{wordsOf(event.type)}</span>
            {event.entity_id !== ownerId ? (
              <Link
                href={`/${workspaceId}/accounts/${event.entity_id}`}
                prefetch={false}
                className="wrap-anywhere min-w-0 rounded-xs text-primary-text hover:underline"
              >
                {event.entity_name}
              </Link>
            ) : null}
          </span>
          <span className="flex flex-wrap items-baseline gap-x-2 @4xl:col-start-3 @4xl:row-start-1 @4xl:justify-end">
            <Tooltip content={`Recorded ${recorded}`}>
              <time dateTime={event.observed_at} className="text-muted-foreground text-sm">
                {timeAs(isAhead ? "minute" : "clock", at, zone)}
              </time>
            </Tooltip>
            <span className="text-muted-foreground text-sm">{sourceWords(event.source)}</span>
            {event.corrects ? (
              <Tooltip content={`Corrected ${recorded}`}>
                <span className="text-muted-foreground text-sm">· corrected</span>
              </Tooltip>
            ) : null}
            {late ? (
              <Tooltip content={`Recorded ${recorded}`}>
                <span className="text-muted-foreground text-sm">
                  <History aria-hidden="true" className="mr-1 inline size-3.5 align-[-0.15em] text-warning-text" />
                  {late}
                </span>
              </Tooltip>
            ) : null}
          </span>
        </p>
        <div className="min-w-0 @4xl:col-start-2 @4xl:row-start-1">
          {event.stage_change ? (
            <p className="text-muted-foreground text-sm">
              Moved to <Badge tone={stageTones[event.stage_change.to]}>{stageLabels[event.stage_change.to]}</Badge>{" "}
              because of this {nounOf(event.type)}
            </p>
          ) : null}
          {mail ? (
            <p className="wrap-anywhere">
              <Link
                href={threadPath(workspaceId, event.entity_id, mail.thread_id)}
                prefetch={false}
                className="rounded-xs font-medium text-primary-text hover:underline"
              >
                {mail.subject ?? "Open the conversation"}
              </Link>
              {mail.snippet ? <span className="line-clamp-2 text-muted-foreground">{mail.snippet}</span> : null}
            </p>
          ) : null}
          {event.summary ? <p className="wrap-anywhere whitespace-pre-line text-pretty">{event.summary}</p> : null}
        </div>
      </div>
      {actions ? <EventMenu label={event.summary ?? wordsOf(event.type)} {...actions} /> : null}
    </li>
  );
}

type EventMenuProps = { label: string; onEdit: () => void; onRemove: () => void };

function EventMenu({ label, onEdit, onRemove }: EventMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          data-writes
          variant="ghost"
          size="icon-sm"
          aria-label={`Change “${clip(label, 60)}”`}
          className="shrink-0 self-start md:pointer-fine:opacity-0 md:focus-visible:opacity-100 md:aria-expanded:opacity-100 md:group-focus-within/event:opacity-100 md:group-hover/event:opacity-100"
        >
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={onEdit}>
          <PencilLine aria-hidden="true" /> Correct…
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={onRemove}>
          <X aria-hidden="true" /> Did not happen
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
