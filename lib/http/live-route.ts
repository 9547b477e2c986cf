import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { type LivePlace, livePlaces, readMissed } from "#lib/domain/knowledge/feed/service.ts";
import { type Announcement, subscribe } from "#lib/live/announce.ts";
import { answered, enter } from "./answer.ts";
import { openEventStream } from "./event-stream.ts";
import { type Exchange, handler, type RouteHandler, type Streaming } from "./exchange.ts";
import { requestIdOf } from "./request-id.ts";
import { bySession } from "./session.ts";
import { holdStream, requireRoom, streamHeaders, whileAllowed } from "./streams.ts";

/**
 * `GET /api/app/<workspace>/live`: tells an open page which records have news, by server-sent events. `activity`
 * `{entity_id}` for each; first `missed` `{entity_ids, all}` with what happened after Last-Event-ID, or after `?since=`
 * the id of an event. An id is the reader's place in the stream, and is opaque. `integrations` `{}`: connections,
 * deliveries or backfills changed, or the reader's own mailboxes and calendars; `approvals` `{}`: a change waits for approval, or waits no longer; `triggers` and
 * `deliveries` `{}`: triggers were changed, or deliveries were tried. These are not part of what was missed, so a reader who reconnects fetches them again.
 */
export const liveRoute = (): RouteHandler =>
  handler((exchange) => {
    const requestId = requestIdOf(exchange);
    return answered("live", exchange, requestId, async (frame) => {
      const { caller, rateKey } = await enter(exchange, requestId, bySession, frame, "/live");
      requireRoom(rateKey);
      Object.assign(frame.headers, streamHeaders);
      return { status: 200, body: streamOf(exchange, caller, rateKey) };
    });
  });

const streamOf =
  (exchange: Exchange, caller: Caller, session: string): Streaming =>
  (out) => {
    const stream = openEventStream(out.write, out.end);
    const release = holdStream(session);
    let waiting: (Announcement | null)[] | null = [];
    let latest = 0; // a late commit has a lower number than events sent before it
    let settled = 0; // what may commit late after this stream has ended was under way when it began
    const placeOf = (seq: number) => {
      latest = Math.max(latest, seq);
      return livePlaces.encode(caller, [latest, settled]);
    };
    const tell = (announcement: Announcement | null) => {
      if (waiting) waiting.push(announcement);
      else if (!announcement) stream.send("missed", { entity_ids: [], all: true });
      else if (announcement.topic === "activity")
        stream.send("activity", { entity_id: announcement.entity_id }, placeOf(announcement.seq));
      else if (announcement.user_id !== undefined && announcement.user_id !== caller.viewer) return;
      else if (announcement.topic !== "changes" && announcement.topic !== "events") stream.send(announcement.topic, {}); // without an id, so that the reader keeps its place among the activities
    };
    const unsubscribe = subscribe(caller.workspaceId, tell);
    const fail = (error: unknown) => {
      log.warn({ err: error, workspace_id: caller.workspaceId }, "a live stream ended early");
      stream.end();
    };
    const check = () => bySession(exchange, requestIdOf(exchange), null);
    const unwatch = whileAllowed(caller, check, stream.end);
    // Announcements wait until the missed ones have been read.
    readMissed(caller.workspaceId, sinceOf(exchange, caller)).then(({ place, ...missed }) => {
      settled = place[1];
      stream.send("missed", missed, placeOf(place[0]));
      const announcements = waiting ?? [];
      waiting = null;
      announcements.forEach(tell);
    }, fail);
    return () => {
      stream.closed();
      unsubscribe();
      unwatch();
      release();
    };
  };

/**
 * How far a reader is; null for a new reader. A reader with an unreadable place gets
 * everything.
 */
function sinceOf(exchange: Exchange, caller: Caller): LivePlace | null {
  const place = exchange.header("last-event-id") ?? new URLSearchParams(exchange.query).get("since") ?? "";
  if (place === "") return null;
  try {
    return livePlaces.decode(caller, place);
  } catch (error) {
    if (isFault(error)) return [0, 0];
    throw error;
  }
}
