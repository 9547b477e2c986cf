"use client";

import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { workspaceAddress } from "#components/api.ts";

type Missed = { entity_ids: string[]; all: boolean };
type Activity = { entity_id: string };

/** News of one moment are shown together. */
const GATHER_MS = 40;
/** Lists and cards hold many records, so they are read again less often than the record itself. */
const LISTS_MS = 3_000;

const LISTS = ["people", "companies", "home"];

/** What an `integrations` event is about, at most once a second: a backfill goes on faster than anybody reads. */
const INTEGRATIONS = ["integrations", "backfills", "inbound-deliveries"];
const INTEGRATIONS_MS = 1_000;

/** A stream that was refused is asked for again after so long, then after twice that, and so on. */
const AGAIN_MS = 2_000;
const LONGEST_AGAIN_MS = 30_000;
/** Who reads far back in a log is not asked for all of it again. */
const MOST_PAGES = 3;

const isOfIntegrations =
  (workspaceId: string) =>
  ({ queryKey: [area, workspace], state }: Query): boolean =>
    workspace === workspaceId &&
    INTEGRATIONS.includes(area as string) &&
    ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= MOST_PAGES;

/** Reads again what news are about, those of one moment together. */
function readingAgain(client: QueryClient, workspaceId: string) {
  let gathering: ReturnType<typeof setTimeout> | null = null;
  let listing: ReturnType<typeof setTimeout> | null = null;
  let integrating: ReturnType<typeof setTimeout> | null = null;
  let integrated = Number.NEGATIVE_INFINITY;
  const about = new Set<string>();
  let everybody = false;

  const isStale = ({ queryKey: [area, workspace, id] }: Query): boolean => {
    if (workspace !== workspaceId) return false;
    if (area === "feed") return true;
    return area === "account" && (everybody || about.has(id as string) || isCompany(id as string));
  };
  // Something about one of its people is about a company too.
  const isCompany = (id: string) =>
    client.getQueryData<{ type: string }>(["account", workspaceId, id, "record", null])?.type === "company";

  const show = () => {
    gathering = null;
    void client.invalidateQueries({ predicate: isStale });
    about.clear();
    everybody = false;
    listing ??= setTimeout(() => {
      listing = null;
      for (const list of LISTS) void client.invalidateQueries({ queryKey: [list, workspaceId] });
    }, LISTS_MS);
  };
  const readIntegrations = () => {
    const wait = Math.max(GATHER_MS, integrated + INTEGRATIONS_MS - performance.now());
    integrating ??= setTimeout(() => {
      integrating = null;
      integrated = performance.now();
      void client.invalidateQueries({ predicate: isOfIntegrations(workspaceId) });
    }, wait);
  };
  const learn = (ids: readonly string[], all: boolean) => {
    for (const id of ids) about.add(id);
    everybody ||= all;
    if (all || ids.length > 0) gathering ??= setTimeout(show, GATHER_MS);
  };
  const stop = () => {
    if (gathering) clearTimeout(gathering);
    if (listing) clearTimeout(listing);
    if (integrating) clearTimeout(integrating);
  };
  return { learn, readIntegrations, stop };
}

/**
 * Keeps what a page shows current while it is seen: about whom something was learned is read again. A window in the
 * background holds no connection (browsers allow six for a site), and asks for what it missed when it is seen again.
 * `rendered`: the place in the stream when the server rendered the page; what came since is asked for at once.
 */
export function LiveUpdates({ workspaceId, rendered }: { workspaceId: string; rendered: string }) {
  const client = useQueryClient();
  const first = useRef(rendered);

  useEffect(() => {
    let source: EventSource | null = null;
    let since = first.current;
    let again: ReturnType<typeof setTimeout> | null = null;
    let wait = AGAIN_MS;
    const { learn, readIntegrations, stop } = readingAgain(client, workspaceId);

    const open = () => {
      if (source || document.hidden) return;
      if (again) clearTimeout(again);
      again = null;
      source = new EventSource(workspaceAddress(workspaceId, `/live?since=${encodeURIComponent(since)}`));
      source.addEventListener("missed", ({ data, lastEventId }: MessageEvent<string>) => {
        const missed = JSON.parse(data) as Missed;
        wait = AGAIN_MS;
        since = lastEventId || since;
        learn(missed.entity_ids, missed.all);
        readIntegrations(); // what is missed of these has no number to ask for
      });
      source.addEventListener("activity", ({ data, lastEventId }: MessageEvent<string>) => {
        since = lastEventId || since;
        learn([(JSON.parse(data) as Activity).entity_id], false);
      });
      source.addEventListener("integrations", readIntegrations);
      source.addEventListener("error", askAgain);
    };
    /** Browsers come back by themselves when a stream ends, and never when it is refused (503 while the database is away). */
    const askAgain = () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      again = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_AGAIN_MS);
    };
    const close = () => {
      source?.close();
      source = null;
      if (again) clearTimeout(again);
      again = null;
    };
    const turn = () => (document.hidden ? close() : open());

    document.addEventListener("visibilitychange", turn);
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", open);
    open();
    return () => {
      document.removeEventListener("visibilitychange", turn);
      window.removeEventListener("pagehide", close);
      window.removeEventListener("pageshow", open);
      close();
      stop();
    };
  }, [client, workspaceId]);

  return null;
}
