"use client";

import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { workspaceAddress } from "#components/api.ts";
import { REST_MS } from "#components/ui/while-idle.ts";

type MissedChanges = { entity_ids: string[]; all: boolean };
type Activity = { entity_id: string };

/** Events within this time are handled together. */
const GATHER_MS = 40;
/** Lists and cards show many records, so they are fetched again less often than a single record. */
const LISTS_MS = 3_000;

const LISTS = ["people", "companies", "home", "trend"];

/** A person may tick several in a moment. */
const TASKS_MS = 300;

/** Conversations and meetings: a message that only the reader may see has no activity. */
const PRIVATE = ["mail", "meetings"];

/**
 * What an `integrations`, `triggers` or `deliveries` event is about is fetched at most once a second: a backfill changes
 * faster than anyone reads.
 */
const INTEGRATIONS = ["integrations", "backfills", "inbound-deliveries", "triggers", "crm-sync", ...PRIVATE];
const INTEGRATIONS_MS = 1_000;

/** An agent may ask for many changes in a moment. */
const APPROVALS_MS = 300;

/** A running import tells of each batch of rows. */
const IMPORTS_MS = 1_000;

/** How far a change of many records is. */
const BULK_MS = 300;

/** Scores of many change at once, a batch at a time. */
const SCORES_MS = 1_500;

/** A refused stream is tried again after this time, then after twice that, and so on. */
const AGAIN_MS = 2_000;
const LONGEST_AGAIN_MS = 30_000;
/** Pages that are refreshed: a reader who has scrolled far back in a log does not fetch all of them again. */
const MOST_PAGES = 3;

const isOfIntegrations =
  (workspaceId: string) =>
  ({ queryKey: [area, workspace], state }: Query): boolean =>
    workspace === workspaceId &&
    INTEGRATIONS.includes(area as string) &&
    ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= MOST_PAGES;

/** Calls `act` soon after it is asked for, and no more often than every `every` ms. */
function paced(every: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = Number.NEGATIVE_INFINITY;
  const ask = () => {
    const wait = Math.max(GATHER_MS, last + every - performance.now());
    timer ??= setTimeout(() => {
      timer = null;
      last = performance.now();
      act();
    }, wait);
  };
  const stop = () => {
    if (timer) clearTimeout(timer);
  };
  return { ask, stop };
}

/** Fetches again what the events are about, several at once. */
function readingAgain(client: QueryClient, workspaceId: string) {
  let gathering: ReturnType<typeof setTimeout> | null = null;
  let listing: ReturnType<typeof setTimeout> | null = null;
  const about = new Set<string>();
  let everyone = false;

  const isStale = ({ queryKey: [area, workspace, id] }: Query): boolean => {
    if (workspace !== workspaceId) return false;
    if (area === "feed" || PRIVATE.includes(area as string)) return true;
    if (area === "facts") return everyone || about.has(workspaceId);
    return area === "account" && (everyone || about.has(id as string) || isCompany(id as string));
  };
  // An event about a person concerns their company too.
  const isCompany = (id: string) =>
    client.getQueryData<{ type: string }>(["account", workspaceId, id, "record", null])?.type === "company";

  const show = () => {
    gathering = null;
    void client.invalidateQueries({ predicate: isStale });
    about.clear();
    everyone = false;
    listing ??= setTimeout(() => {
      listing = null;
      for (const list of LISTS) void client.invalidateQueries({ queryKey: [list, workspaceId] });
    }, LISTS_MS);
  };
  const again = (area: string) => () => void client.invalidateQueries({ queryKey: [area, workspaceId] });
  const integrations = paced(INTEGRATIONS_MS, () => {
    void client.invalidateQueries({ predicate: isOfIntegrations(workspaceId) });
  });
  const approvals = paced(APPROVALS_MS, again("approvals"));
  const imports = paced(IMPORTS_MS, again("imports"));
  const tasks = paced(TASKS_MS, again("tasks"));
  const bulkActions = paced(BULK_MS, again("bulk-actions"));
  const scores = paced(SCORES_MS, () => {
    for (const area of ["account", "scoring-model", ...LISTS]) again(area)();
  });
  const learn = (ids: readonly string[], all: boolean) => {
    for (const id of ids) about.add(id);
    everyone ||= all;
    if (all || ids.length > 0) gathering ??= setTimeout(show, GATHER_MS);
  };
  const stop = () => {
    if (gathering) clearTimeout(gathering);
    if (listing) clearTimeout(listing);
    for (const { stop: end } of [integrations, approvals, imports, bulkActions, scores, tasks]) end();
  };
  /** What changes without a place in the stream of activities, by the name of its event. */
  const topics = {
    integrations: integrations.ask,
    triggers: integrations.ask,
    deliveries: integrations.ask,
    approvals: approvals.ask,
    imports: imports.ask,
    "bulk-actions": bulkActions.ask,
    scores: scores.ask,
    tasks: tasks.ask,
  };
  return { learn, topics, stop };
}

/**
 * Keeps a visible page current: records about which something was learned are fetched again. A window in the background
 * holds no connection (browsers allow six a site), and asks for what it missed when it is visible again. `rendered`:
 * the place in the stream when the server rendered the page; newer events are asked for at once.
 */
export function LiveUpdates({ workspaceId, rendered }: { workspaceId: string; rendered: string }) {
  const client = useQueryClient();
  const first = useRef(rendered);

  useEffect(() => {
    let source: EventSource | null = null;
    let since = first.current;
    let again: ReturnType<typeof setTimeout> | null = null;
    let wait = AGAIN_MS;
    let isFresh = !document.hidden;
    let settling: ReturnType<typeof setTimeout> | null = null;
    const { learn, topics, stop } = readingAgain(client, workspaceId);

    const readTopics = () => {
      for (const read of Object.values(topics)) read();
    };
    const open = () => {
      if (source || document.hidden) return;
      if (again) clearTimeout(again);
      again = null;
      source = new EventSource(workspaceAddress(workspaceId, `/live?since=${encodeURIComponent(since)}`));
      source.addEventListener("missed", ({ data, lastEventId }: MessageEvent<string>) => {
        const missed = JSON.parse(data) as MissedChanges;
        wait = AGAIN_MS;
        since = lastEventId || since;
        learn(missed.entity_ids, missed.all);
        // The events of topics have no number to ask from. A page that was just rendered has seldom missed one, and has to
        // become usable first.
        if (isFresh) settling = setTimeout(readTopics, REST_MS);
        else readTopics();
        isFresh = false;
      });
      source.addEventListener("activity", ({ data, lastEventId }: MessageEvent<string>) => {
        since = lastEventId || since;
        learn([(JSON.parse(data) as Activity).entity_id], false);
      });
      for (const [topic, read] of Object.entries(topics)) source.addEventListener(topic, read);
      source.addEventListener("error", askAgain);
    };
    /** Browsers reconnect when a stream ends, but never when it is refused (503 while the database is away). */
    const askAgain = () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      // A stream does not say why it is refused; a request does, and leads the reader on where they have to sign in.
      if (wait === AGAIN_MS) topics.approvals();
      again = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_AGAIN_MS);
    };
    const close = () => {
      source?.close();
      source = null;
      if (again) clearTimeout(again);
      again = null;
      if (settling) clearTimeout(settling);
      settling = null;
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
