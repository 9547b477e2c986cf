import type { CrmEntry } from "#lib/providers/crm.ts";

/** Activities worth a line in a CRM; visits, opened and bounced e-mails would only fill it. */
export const pushedActivities = [
  "email_sent",
  "email_received",
  "call",
  "meeting_scheduled",
  "meeting_held",
  "meeting_cancelled",
  "linkedin_message",
  "note",
  "custom",
].map((type) => `interaction.${type}`);

/** A note or an observation, as the queries find it. */
export type Source = {
  id: string;
  /** the observation's property; null for a note */
  property: string | null;
  title: string | null;
  text: string | null;
  source: string;
  at: Date;
  /** ISO, of a meeting */
  end: string | null;
};

const words: Readonly<Record<string, string>> = {
  email_sent: "E-mail sent",
  email_received: "E-mail received",
  call: "Call",
  meeting_scheduled: "Meeting scheduled",
  meeting_held: "Meeting held",
  meeting_cancelled: "Meeting cancelled",
  linkedin_message: "LinkedIn message",
  note: "Note",
  custom: "Activity",
};

/** A note or activity as a CRM takes it. */
export function entryOf({ id, property, title, text, source, at, end }: Source): CrmEntry {
  if (property === null) return { id, kind: "note", title: title ?? "Note", text: text ?? "", at };
  const type = property.slice("interaction.".length);
  const label = words[type] ?? "Activity";
  const about = {
    id,
    title: text ? `${label}: ${text}`.slice(0, 200) : label,
    text: `${text ?? label} (${source})`,
    at,
  };
  if (type !== "meeting_scheduled" && type !== "meeting_held") return { ...about, kind: "activity" };
  const until = end === null ? Number.NaN : Date.parse(end);
  return {
    ...about,
    kind: "meeting",
    status: type === "meeting_held" ? "held" : "scheduled",
    end: Number.isFinite(until) && until > at.getTime() ? new Date(until) : null,
  };
}
