import { setTimeout as sleep } from "node:timers/promises";
import { createMcpHandler, type ServerEventBus } from "@modelcontextprotocol/server";
import type { Caller } from "#lib/core/context.ts";
import { log } from "#lib/core/log.ts";
import type { Change, ChangeType } from "#lib/domain/knowledge/changes/contract.ts";
import { listChanges } from "#lib/domain/knowledge/changes/service.ts";
import type { Streaming } from "#lib/http/exchange.ts";
import { holdStream, requireRoom, whileAllowed } from "#lib/http/streams.ts";
import { followedBy, type ResourceChanges, readResource } from "./resources.ts";
import { createServer, type Session } from "./server.ts";

/** Opens a stream that tells which resources changed, until it is closed: that is how a client unsubscribes. */
export const LISTEN = "subscriptions/listen";

/** Resources that one stream follows. */
const MOST = 50;

/** What changed within this time is told once. */
const GATHER_MS = 1_000;
const KEEP_ALIVE_MS = 20_000;

type Listening = {
  session: Session;
  /** the request as the SDK takes it */
  request: Request;
  message: unknown;
  /** Aborts when no one waits for the answer any more. */
  over: AbortSignal;
  /** whose stream it is counted as */
  holder: string;
  /** Rejects when the caller may not have this any more. */
  check(): Promise<unknown>;
};

/**
 * Answers `subscriptions/listen`. The SDK speaks the protocol; what changed comes from the feed of changes. Resources that the
 * caller cannot read are not among those that it acknowledges.
 */
export async function listening({
  session,
  request,
  message,
  over,
  holder,
  check,
}: Listening): Promise<Response | Streaming> {
  const { caller } = session;
  requireRoom(holder);
  const followed = new Map<string, ResourceChanges>();
  const asked = asWished(message);
  if (asked !== null && asked.length > MOST) return tooMany(message);
  for (const uri of new Set(asked)) {
    const what = await followedBy(caller, uri);
    if (what !== null) followed.set(uri, what);
  }
  const leave = new AbortController();
  const signal = AbortSignal.any([leave.signal, over]);
  const feed =
    followed.size > 0 ? await listChanges.allow(caller).stream({ cursor: "now" }, { lastEventId: null, signal }) : null;
  // Before the stream is acknowledged: what its client reads from then on is no older.
  const texts = await textsOf(caller, followed);
  const handler = createMcpHandler(() => createServer(session, { subscribe: true }), {
    legacy: "reject",
    keepAliveMs: KEEP_ALIVE_MS,
    bus: busOf((tell) => {
      if (feed && "events" in feed)
        follow({ caller, followed, texts, tell, signal }, feed.events).then(
          () => handler.close(),
          (error: unknown) => {
            log.warn({ err: error, request_id: caller.requestId }, "a stream of subscriptions ended early");
            leave.abort();
          },
        );
    }, leave),
    onerror: (error) => log.debug({ err: error }, "an MCP request was refused"),
  });
  const answer = await handler.fetch(new Request(request, { signal }), {
    authInfo: { token: "", clientId: "", scopes: [...caller.scopes] },
    parsedBody: asked === null ? message : withResources(message, [...followed.keys()]),
  });
  const { body } = answer;
  if (body === null || !answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    leave.abort();
    return answer;
  }
  return (out) => {
    const release = holdStream(holder);
    const unwatch = whileAllowed(caller, check, () => leave.abort());
    const copy = async () => {
      for await (const piece of body) {
        await out.drained();
        out.write(piece);
      }
    };
    copy().then(out.end, out.end);
    return () => {
      unwatch();
      leave.abort();
      release();
    };
  };
}

/** The addresses that a message asks for; null when it asks for none, or is not as the protocol has it. */
function asWished(message: unknown): string[] | null {
  const { params } = message as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) && uris.every((uri) => typeof uri === "string") ? uris : null;
}

function withResources(message: unknown, resourceSubscriptions: string[]): unknown {
  const { params, ...rest } = message as { params: { notifications: object } };
  return { ...rest, params: { ...params, notifications: { ...params.notifications, resourceSubscriptions } } };
}

const INVALID_PARAMS = -32_602;

const tooMany = (message: unknown): Response =>
  Response.json({
    jsonrpc: "2.0",
    id: (message as { id?: string | number }).id ?? null,
    error: { code: INVALID_PARAMS, message: `A stream follows at most ${MOST} resources; open another for more.` },
  });

/** What the SDK listens to while a stream is open. */
const busOf = (begin: (tell: (uri: string) => void) => void, leave: AbortController): ServerEventBus => ({
  publish: () => undefined,
  subscribe(listener) {
    begin((uri) => listener({ kind: "resource_updated", uri }));
    return () => leave.abort();
  },
});

type Following = {
  caller: Caller;
  followed: ReadonlyMap<string, ResourceChanges>;
  texts: Map<string, string>;
  tell(uri: string): void;
  signal: AbortSignal;
};

const textOf = async (caller: Caller, uri: string): Promise<string> => (await readResource(caller, uri))?.text ?? "";

/** The texts of the resources that are compared, as they are now. */
async function textsOf(caller: Caller, followed: Following["followed"]): Promise<Following["texts"]> {
  const texts = new Map<string, string>();
  for (const [uri, { compared }] of followed) if (compared) texts.set(uri, await textOf(caller, uri));
  return texts;
}

type Feed = AsyncIterable<readonly { event: string; data: unknown }[]>;

/** Tells of each resource that changed, until the feed ends. */
async function follow({ caller, followed, texts, tell, signal }: Following, feed: Feed): Promise<void> {
  const isNew = async (uri: string) => {
    const [before, text] = [texts.get(uri), await textOf(caller, uri)];
    texts.set(uri, text);
    return text !== before;
  };
  for await (const batch of feed) {
    const changes = batch.flatMap(({ event, data }) => (event === "change" ? [data as Change] : []));
    for (const [uri, what] of followed)
      if (changes.some((change) => concerns(what, change)) && (!what.compared || (await isNew(uri)))) tell(uri);
    followMerges(followed, changes);
    if (changes.length > 0) await sleep(GATHER_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}

const concerns = ({ id, types }: ResourceChanges, change: Change): boolean =>
  (types as readonly ChangeType[]).includes(change.type) && (id === null || idsIn(change).includes(id));

/** The records that a change is about: one that someone joined or left, and one that was merged, too. */
function idsIn({ entity_id, type, property, value, previous }: Change): unknown[] {
  if (type === "merge" || type === "unmerge")
    return [entity_id, (value as { other_id?: unknown } | undefined)?.other_id];
  return property === "works_at" ? [entity_id, value, previous] : [entity_id];
}

/** From a merge on, a record is the one that was kept. */
function followMerges(followed: ReadonlyMap<string, ResourceChanges>, changes: readonly Change[]): void {
  for (const change of changes)
    for (const what of followed.values())
      if (change.type === "merge" && what.id !== null && idsIn(change).includes(what.id)) what.id = change.entity_id;
}
