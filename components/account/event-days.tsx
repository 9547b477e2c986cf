"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { useOnEnd } from "#components/records/pages-of-rows.ts";
import { Button } from "#components/ui/button.tsx";
import type { Event } from "./calls.ts";
import { daysOf } from "./days.ts";
import { type EventMail, EventRow } from "./event-row.tsx";
import { useZone } from "./use-zone.ts";

type EventDaysProps = {
  workspaceId: string;
  /** The latest first. */
  events: readonly Event[];
  /** Whose timeline it is; absent on a list of everyone's events. */
  ownerId?: string;
  pages: Pages;
  skeleton: ReactNode;
  /** The e-mail that an event is, where the reader may see what it is about. */
  mailOf?: (event: Event) => EventMail | undefined;
  /** What can be done with an event; absent where nothing can be corrected. */
  actionsOf?: ((event: Event) => { onEdit: () => void; onRemove: () => void } | undefined) | undefined;
};

/** The state of the infinite query. */
type Pages = {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
};

/** What is to come, then events by day of the reader's zone; the next page is fetched before the reader reaches the end. */
export function EventDays(props: EventDaysProps) {
  const { workspaceId, events, ownerId, pages, skeleton, actionsOf, mailOf } = props;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const zone = useZone();
  const end = useRef<HTMLDivElement>(null);

  const onEnd = useOnEnd(pages);
  useEffect(() => {
    if (!end.current || !hasNextPage) return;
    const seen = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? onEnd() : undefined), {
      rootMargin: "400px",
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [hasNextPage, onEnd]);

  return (
    <>
      {daysOf(events, zone, new Date(), (event) => event.observed_at).map(({ day, label, items, isAhead }) => (
        <section key={day} aria-label={label}>
          <h2 className="sticky top-(--sticky-top) z-1 bg-background py-1 font-medium text-muted-foreground text-sm">
            {label}
          </h2>
          <ol className="@container mt-1">
            {items.map((event) => (
              <EventRow
                key={event.id}
                event={event}
                workspaceId={workspaceId}
                zone={zone}
                isAhead={isAhead}
                actions={actionsOf?.(event)}
                mail={mailOf?.(event)}
                {...(ownerId ? { ownerId } : {})}
              />
            ))}
          </ol>
        </section>
      ))}
      {isFetchNextPageError ? (
        <Button className="self-start" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
          The rest could not be loaded. Try again
        </Button>
      ) : null}
      <div ref={end}>{hasNextPage && !isFetchNextPageError ? skeleton : null}</div>
    </>
  );
}
