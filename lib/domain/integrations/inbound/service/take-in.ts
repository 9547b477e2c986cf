import { createHash } from "node:crypto";
import { findWorkspace } from "#lib/auth/workspace-ids.ts";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { gatherer, oneByOne } from "#lib/core/gatherer.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { Plan } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import {
  countRefusal,
  findSigningSecret,
  markDelivered,
  tellChanged,
} from "#lib/domain/integrations/connections/service.ts";
import type { Json } from "#lib/providers/fields.ts";
import type { News } from "#lib/providers/news.ts";
import { type HeaderOf, isProven, readSignature, type Signature } from "#lib/settings/webhook-signatures.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Attempt, InboundProvider } from "../contract.ts";
import {
  type Arrival,
  type DeliveryState,
  findKnown,
  insertDeliveries,
  reviveDelivery,
  SAMPLE_AGENT,
  settleDeliveries,
} from "../queries.ts";
import { inboundOf, isInboundProvider, isLarge, titleOf } from "../rules/providers.ts";
import { enqueueDelivery } from "./queue.ts";
import { recordNews } from "./record.ts";

/** A workspace's address for one provider's deliveries. */
export type Inbox = { provider: InboundProvider; workspaceId: WorkspaceId; plan: Plan };

/**
 * The inbox that an address names. Throws 404 `unknown_provider`, 400 `workspace_id_required` and 404
 * `workspace_not_found`.
 */
export async function openInbox(provider: string, workspaceId: string): Promise<Inbox> {
  if (!isInboundProvider(provider)) throw new Fault("unknown_provider");
  if (workspaceId === "") throw new Fault("workspace_id_required");
  const workspace = await findWorkspace(workspaceId);
  if (!workspace) throw new Fault("workspace_not_found");
  return { provider, workspaceId: workspace.id, plan: workspace.plan };
}

/** Simultaneous callers share one look-up. */
const secrets = gatherer<Inbox, string | null>({
  lanes: 1,
  most: Number.POSITIVE_INFINITY,
  async run(inboxes) {
    const { workspaceId, provider } = inboxes[0] as Inbox;
    const secret = await withWorkspace(workspaceId, (db) => findSigningSecret({ db }, provider), { readOnly: true });
    return inboxes.map(() => secret);
  },
});

/** The signature given in a delivery's headers. Throws 401 when no body could match it. */
export async function takeSignature(inbox: Inbox, header: HeaderOf): Promise<Signature> {
  const signature = readSignature(inboundOf(inbox.provider).scheme, await secrets(nameOf(inbox), inbox), header);
  if (typeof signature === "string") throw new Fault(signature);
  return signature;
}

const nameOf = ({ workspaceId, provider }: Inbox): string => `${workspaceId} ${provider}`;

/** Counts a request that was turned away, and why. */
export const turnAway = ({ workspaceId, provider }: Inbox, code: string): Promise<void> =>
  countRefusal(workspaceId, provider, code);

/** A delivery whose sender is verified. */
export type Proof = { inbox: Inbox; key: string };

/** Throws 401 `invalid_signature` unless the signature matches the bytes. */
export function requireProof(inbox: Inbox, signature: Signature, body: Buffer): Proof {
  if (!isProven(signature, body)) throw new Fault("invalid_signature");
  return { inbox, key: keyOf(signature.id, body) };
}

/** By what a repeated delivery is recognised: the sender's id of it, else its bytes. */
export const keyOf = (id: string | undefined, body: Buffer | string): string =>
  id && id.length <= 200 ? id : `sha256:${createHash("sha256").update(body).digest("hex")}`;

/** Headers worth keeping; none of them is a secret or a signature. */
const KEPT_HEADERS = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "x-cal-webhook-version"];

export type Letter = {
  header: HeaderOf;
  /** the body as received */
  text: string;
  payload: Json;
  requestId: string;
};

/** Our own signed test: it says nothing about whether the provider delivers. Only who has the secret can send one. */
const isSample = ({ header }: Letter): boolean => header("user-agent") === SAMPLE_AGENT;

export type DeliveryAnswer = {
  answer: DeliveryState["answer"];
  /** null when the sender had delivered it before */
  id: string | null;
  /** why it waits to be processed again; for the log */
  failure?: unknown;
};

/** A delivery that is being taken in. */
type Incoming = { inbox: Inbox; arrival: Arrival; letter: Letter; news: News };

/**
 * Stores a delivery and records what it says in one transaction, together with those that reach its inbox at the same
 * time: neither happens without the other. What cannot be recorded now is stored all the same and tried again by a job.
 * A repeated delivery changes nothing.
 */
export async function takeIn({ inbox, key }: Proof, letter: Letter): Promise<DeliveryAnswer> {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = letter.header(name);
    return value === undefined ? [] : [[name, value.slice(0, 500)]];
  });
  const { eventOf, read } = inboundOf(inbox.provider);
  const news = read(letter.payload, new Date());
  const arrival: Arrival = {
    id: newId(),
    provider: inbox.provider,
    key,
    event: eventOf(letter.payload),
    title: titleOf(news),
    headers: Object.fromEntries(headers),
    payload: letter.text,
  };
  return together(nameOf(inbox), { inbox, arrival, letter, news });
}

const together = gatherer<Incoming, DeliveryAnswer>({ lanes: 2, most: 16, run: takeInTogether });

async function takeInTogether(group: readonly Incoming[]): Promise<(DeliveryAnswer | Error)[]> {
  const [first] = group as [Incoming];
  const { workspaceId } = first.inbox;
  try {
    return await withWorkspace(workspaceId, (db) => keep(db, first.inbox, group));
  } catch (failure) {
    // One delivery may have failed the whole group, so each is tried by itself. Those that were stored after all are
    // found by their keys.
    if (group.length > 1) return oneByOne(group, takeInTogether);
    const [kept] = await withWorkspace(workspaceId, (db) => keep(db, first.inbox, group, failure));
    return [{ ...(kept as DeliveryAnswer), failure }];
  }
}

const QUEUED: DeliveryState["answer"] = { ok: true, queued: true };

/** `failure`: why what they say could not be recorded, so that a job tries again. */
async function keep(
  db: Db,
  inbox: Inbox,
  group: readonly Incoming[],
  failure: unknown = null,
): Promise<DeliveryAnswer[]> {
  const arrived = await insertDeliveries(
    db,
    group.map(({ arrival }) => arrival),
  );
  const fresh = group.filter(({ arrival }) => arrived.has(arrival.id));
  for (const { arrival, news } of fresh) if (failure !== null || isLarge(news)) await enqueueDelivery(db, arrival.id);
  const tried = fresh.filter(({ news }) => failure !== null || !isLarge(news));
  const ctx = { ...callerOf(inbox, (group[0] as Incoming).letter.requestId), db };
  const states =
    failure === null
      ? await recordNews(
          ctx,
          tried.map(({ news }) => news),
        )
      : tried.map(() => unsettled("pending", failure));
  const settled = tried.map(({ arrival: { id } }, place) => {
    const state = states[place] as DeliveryState;
    return { id, state, attempt: attemptOf("delivery", arrived.get(id) as Date, state) };
  });
  if (settled.length > 0) void settleDeliveries(db, settled); // sent with the COMMIT
  const answers = new Map(settled.map(({ id, state }) => [id, state.answer]));
  const taken: DeliveryAnswer[] = [];
  for (const { arrival } of group)
    taken.push(
      arrived.has(arrival.id)
        ? { answer: answers.get(arrival.id) ?? QUEUED, id: arrival.id }
        : await heardBefore(db, inbox, arrival),
    );
  if (fresh.length > 0) await delivered(db, inbox, fresh, arrived);
  return taken;
}

/** Last of all: all deliveries share the connection's row, so nothing else is waited for while it is locked. */
async function delivered(
  db: Db,
  { provider, workspaceId }: Inbox,
  fresh: readonly Incoming[],
  arrived: ReadonlyMap<string, Date>,
): Promise<void> {
  const times = fresh.flatMap(({ letter, arrival }) =>
    isSample(letter) ? [] : [(arrived.get(arrival.id) as Date).getTime()],
  );
  if (times.length === 0) tellChanged({ db, workspaceId });
  else await markDelivered({ db, workspaceId }, provider, new Date(Math.max(...times)));
}

/** A delivery that came before is answered as then. One that was given up gets another round: its sender asks for it. */
async function heardBefore(db: Db, { workspaceId }: Inbox, arrival: Arrival): Promise<DeliveryAnswer> {
  const delivery = await findKnown(db, arrival);
  if (delivery?.status === "failed" && (await reviveDelivery(db, delivery.id))) {
    await enqueueDelivery(db, delivery.id);
    tellChanged({ db, workspaceId });
  }
  return { answer: delivery?.answer ?? { ok: true }, id: null };
}

/** A delivery whose recording failed; the details go only to the log. */
export const unsettled = (status: "pending" | "failed", failure: unknown): DeliveryState => ({
  status,
  answer: QUEUED,
  message: isFault(failure) && failure.status < 500 ? failure.message : "Something went wrong on our side.",
  contactIds: [],
});

export const attemptOf = (by: Attempt["by"], at: Date, { status, message }: DeliveryState): Attempt => ({
  at: formatTime(at),
  by,
  status,
  message,
});

/** The authority of a verified delivery: the provider's, even when someone else replays it. */
export const callerOf = ({ provider, workspaceId, plan }: Inbox, requestId: string): Caller => ({
  workspaceId,
  plan,
  scopes: ["write"],
  role: null,
  actor: { type: "webhook", id: provider },
  requestId,
  client: null,
});
