export const leadStatuses = ["pending", "sent", "replied", "bounced"] as const;
export type LeadStatus = (typeof leadStatuses)[number];

export const replyOutcomes = ["interested", "objection", "wrong_fit", "unsubscribe"] as const;
export type ReplyOutcome = (typeof replyOutcomes)[number];

/** How far a lead is. `repliedAt` is set exactly when the status is `replied`. */
export type LeadState = {
  status: LeadStatus;
  /** the latest send */
  sentAt: Date | null;
  /** the first reply */
  repliedAt: Date | null;
  /** the latest bounce */
  bouncedAt: Date | null;
};

/** What a signal says about a lead. */
export type LeadSignal = { says: "sent" | "replied" | "bounced"; at: Date };

const says: Readonly<Record<string, LeadSignal["says"]>> = {
  email_sent: "sent",
  linkedin_message: "sent",
  email_received: "replied",
  email_bounced: "bounced",
};

/** What an activity of this type says about leads; null: nothing. */
export const saidByActivity = (type: string): LeadSignal["says"] | null =>
  Object.hasOwn(says, type) ? (says[type] as LeadSignal["says"]) : null;

/**
 * The state after a signal. Each moment is the latest of its kind (of replies the first), and the status follows from
 * the moments: a reply wins for good, and of a send and a bounce the later one, so that signals lead to the same state in
 * any order and however often they come.
 */
export function stateAfter(state: LeadState, { says, at }: LeadSignal): LeadState {
  const after = { ...state };
  if (says === "sent") after.sentAt = later(state.sentAt, at);
  else if (says === "bounced") after.bouncedAt = later(state.bouncedAt, at);
  else after.repliedAt = earlier(state.repliedAt, at);
  return { ...after, status: after.repliedAt === null ? statusOf(after) : "replied" };
}

/** The status of a lead without a reply. */
function statusOf({ sentAt, bouncedAt }: LeadState): LeadStatus {
  if (bouncedAt !== null && (sentAt === null || bouncedAt >= sentAt)) return "bounced";
  return sentAt === null ? "pending" : "sent";
}

const later = (before: Date | null, at: Date): Date => (before !== null && before > at ? before : at);
const earlier = (before: Date | null, at: Date): Date => (before !== null && before < at ? before : at);

/** What a caller sets. Left out: it stays. */
export type LeadChange = {
  status?: LeadStatus | undefined;
  sent_at?: Date | null | undefined;
  replied_at?: Date | null | undefined;
};

/**
 * The state after a change by a caller at `now`; the name of a parameter that contradicts the status when there is one.
 * Moments that a status implies and the caller leaves out are `now`.
 */
export function stateChanged(
  state: LeadState,
  change: LeadChange,
  now: Date,
): LeadState | { contradicts: "replied_at" | "sent_at" } {
  const { status, sent_at, replied_at } = change;
  const sentAt = sent_at === undefined ? state.sentAt : sent_at;
  const repliedAt = replied_at === undefined ? state.repliedAt : replied_at;
  if (status === undefined) {
    const moments = { ...state, sentAt, repliedAt };
    if (repliedAt !== null) return { ...moments, status: "replied" };
    const stays = sent_at === undefined && state.status !== "replied";
    return { ...moments, status: stays ? state.status : statusOf(moments) };
  }
  if (status === "replied")
    return replied_at === null
      ? { contradicts: "replied_at" }
      : { ...state, status, sentAt, repliedAt: repliedAt ?? now };
  if (replied_at) return { contradicts: "replied_at" };
  if (status === "pending")
    return sent_at ? { contradicts: "sent_at" } : { status, sentAt: null, repliedAt: null, bouncedAt: null };
  if (status === "bounced") return { status, sentAt, repliedAt: null, bouncedAt: later(state.bouncedAt, now) };
  if (sent_at === null) return { contradicts: "sent_at" };
  return { status, sentAt: sentAt ?? now, repliedAt: null, bouncedAt: null };
}
