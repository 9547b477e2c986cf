import type { BadgeProps } from "#components/ui/badge.tsx";
import type { LeadStatus, ReplyOutcome } from "./calls.ts";

type Tone = NonNullable<BadgeProps["tone"]>;
type Look = { label: string; tone: Tone };

export const statuses: Readonly<Record<LeadStatus, Look & { bar: string }>> = {
  pending: { label: "Pending", tone: "neutral", bar: "bg-border-strong" },
  sent: { label: "Sent", tone: "accent", bar: "bg-primary" },
  replied: { label: "Replied", tone: "success", bar: "bg-success" },
  bounced: { label: "Bounced", tone: "danger", bar: "bg-danger" },
};

export const outcomes: Readonly<Record<ReplyOutcome, Look>> = {
  interested: { label: "Interested", tone: "success" },
  objection: { label: "Objection", tone: "warning" },
  wrong_fit: { label: "Wrong fit", tone: "neutral" },
  unsubscribe: { label: "Unsubscribed", tone: "danger" },
};

export const statusNames = Object.keys(statuses) as LeadStatus[];
export const outcomeNames = Object.keys(outcomes) as ReplyOutcome[];
export const noOutcome = "No outcome";
