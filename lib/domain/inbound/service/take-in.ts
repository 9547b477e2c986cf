import { createHash } from "node:crypto";
import { findWorkspace } from "#lib/auth/workspace-ids.ts";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { Plan } from "#lib/core/plans.ts";
import { formatTime } from "#lib/core/time.ts";
import { type Claim, type HeaderOf, isProven, readClaim } from "#lib/core/webhook-signatures.ts";
import { type Db, withWorkspace } from "#lib/db/transaction.ts";
import { countRefusal, findSigningSecret, markDelivered, tellChanged } from "#lib/domain/connections/service.ts";
import type { Attempt, InboundProvider } from "../contract.ts";
import { type Arrival, findKnown, insertDelivery, reviveDelivery, type Standing, settleDelivery } from "../queries.ts";
import type { Json } from "../rules/fields.ts";
import { isInboundProvider, isLarge, type News, providers, titleOf } from "../rules/providers.ts";
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

/** What a delivery's headers claim. Throws 401 when no body could prove it. */
export async function hearClaim({ provider, workspaceId }: Inbox, header: HeaderOf): Promise<Claim> {
  const secret = await withWorkspace(workspaceId, (db) => findSigningSecret({ db }, provider), { readOnly: true });
  const claim = readClaim(providers[provider].scheme, secret, header);
  if (typeof claim === "string") throw new Fault(claim);
  return claim;
}

/** Counts a request that was turned away, and why. */
export const turnAway = ({ workspaceId, provider }: Inbox, code: string): Promise<void> =>
  countRefusal(workspaceId, provider, code);

/** A delivery that has proven its sender. */
export type Proof = { inbox: Inbox; key: string };

/** Throws 401 `invalid_signature` unless the bytes prove the claim. */
export function requireProof(inbox: Inbox, claim: Claim, body: Buffer): Proof {
  if (!isProven(claim, body)) throw new Fault("invalid_signature");
  const key =
    claim.id && claim.id.length <= 200 ? claim.id : `sha256:${createHash("sha256").update(body).digest("hex")}`;
  return { inbox, key };
}

/** Headers worth keeping; none of them is a secret or a signature. */
const KEPT_HEADERS = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "x-cal-webhook-version"];

export type Letter = {
  header: HeaderOf;
  /** the body as it came */
  text: string;
  payload: Json;
  requestId: string;
  /** our own sample: it says nothing about whether the provider delivers */
  sample?: boolean;
};

export type Taken = {
  answer: Standing["answer"];
  /** null when the sender had delivered it before */
  id: string | null;
  /** why it waits to be processed again; for the log */
  failure?: unknown;
};

/**
 * Keeps a delivery and records what it says in one transaction: neither is there without the other. What cannot be
 * recorded now is kept all the same and tried again by a job. A delivery that came before changes nothing.
 */
export async function takeIn({ inbox, key }: Proof, letter: Letter): Promise<Taken> {
  const { provider, workspaceId } = inbox;
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = letter.header(name);
    return value === undefined ? [] : [[name, value.slice(0, 500)]];
  });
  const { eventOf, read } = providers[provider];
  const news = read(letter.payload, new Date());
  const arrival: Arrival = {
    id: newId(),
    provider,
    key,
    event: eventOf(letter.payload),
    title: titleOf(news),
    headers: Object.fromEntries(headers),
    payload: letter.text,
  };
  try {
    return await withWorkspace(workspaceId, (db) => keepAndRecord(db, inbox, arrival, letter, news));
  } catch (failure) {
    const kept = await withWorkspace(workspaceId, (db) => keepForLater(db, inbox, arrival, letter, failure));
    return { ...kept, failure };
  }
}

const QUEUED: Standing["answer"] = { ok: true, queued: true };

async function keepAndRecord(db: Db, inbox: Inbox, arrival: Arrival, letter: Letter, news: News): Promise<Taken> {
  const receivedAt = await insertDelivery(db, arrival);
  if (!receivedAt) return heardBefore(db, inbox, arrival);
  if (isLarge(news)) {
    await enqueueDelivery(db, arrival.id);
    return delivered(db, inbox, letter, receivedAt, { answer: QUEUED, id: arrival.id });
  }
  const standing = await recordNews({ ...callerOf(inbox, letter.requestId), db }, news);
  await settleDelivery(db, arrival.id, standing, attemptOf("delivery", receivedAt, standing));
  return delivered(db, inbox, letter, receivedAt, { answer: standing.answer, id: arrival.id });
}

async function keepForLater(db: Db, inbox: Inbox, arrival: Arrival, letter: Letter, failure: unknown): Promise<Taken> {
  const receivedAt = await insertDelivery(db, arrival);
  if (!receivedAt) return heardBefore(db, inbox, arrival);
  const standing = unsettled("pending", failure);
  await settleDelivery(db, arrival.id, standing, attemptOf("delivery", receivedAt, standing));
  await enqueueDelivery(db, arrival.id);
  return delivered(db, inbox, letter, receivedAt, { answer: standing.answer, id: arrival.id });
}

/** Last of all: the connection's row is shared by all deliveries, and nobody waits for another's while holding it. */
async function delivered(
  db: Db,
  { provider, workspaceId }: Inbox,
  { sample }: Letter,
  at: Date,
  taken: Taken,
): Promise<Taken> {
  if (sample) tellChanged({ db, workspaceId });
  else await markDelivered({ db, workspaceId }, provider, at);
  return taken;
}

/** A delivery that came before is answered as then. One that was given up gets another round: its sender asks for it. */
async function heardBefore(db: Db, { workspaceId }: Inbox, arrival: Arrival): Promise<Taken> {
  const known = await findKnown(db, arrival);
  if (known?.status === "failed" && (await reviveDelivery(db, known.id))) {
    await enqueueDelivery(db, known.id);
    tellChanged({ db, workspaceId });
  }
  return { answer: known?.answer ?? { ok: true }, id: null };
}

/** A delivery whose recording failed; what happened inside is nobody's business but the log's. */
export const unsettled = (status: "pending" | "failed", failure: unknown): Standing => ({
  status,
  answer: QUEUED,
  message: isFault(failure) && failure.status < 500 ? failure.message : "Something went wrong on our side.",
  contactIds: [],
});

export const attemptOf = (by: Attempt["by"], at: Date, { status, message }: Standing): Attempt => ({
  at: formatTime(at),
  by,
  status,
  message,
});

/** The authority of a proven delivery: the provider's, whoever has it processed again. */
export const callerOf = ({ provider, workspaceId, plan }: Inbox, requestId: string): Caller => ({
  workspaceId,
  plan,
  scopes: ["write"],
  role: null,
  actor: { type: "webhook", id: provider },
  requestId,
  client: null,
});
