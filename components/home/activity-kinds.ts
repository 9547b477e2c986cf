import type { ActivityKind } from "#lib/domain/overview/contract.ts";
import type { Activity } from "./calls.ts";

/** What a kind is called, and its colour in the chart. */
export const kindLooks: Readonly<Record<ActivityKind, { label: string; colour: string }>> = {
  email: { label: "E-mails", colour: "var(--chart-1)" },
  message: { label: "Messages", colour: "var(--chart-2)" },
  call: { label: "Calls", colour: "var(--chart-3)" },
  meeting: { label: "Meetings", colour: "var(--chart-4)" },
  visit: { label: "Visits", colour: "var(--chart-5)" },
  note: { label: "Notes", colour: "var(--chart-6)" },
  other: { label: "Other", colour: "var(--chart-7)" },
};

const order = Object.keys(kindLooks) as ActivityKind[];

export type KindTotal = { kind: ActivityKind; total: number };

/** The kinds that occur, in the order of the chart. */
export const kindsOf = ({ days }: Activity): KindTotal[] =>
  order
    .map((kind) => ({ kind, total: days.reduce((sum, { counts }) => sum + counts[kind], 0) }))
    .filter(({ total }) => total > 0);

const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const long = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** `3 Nov` of `2026-11-03`. */
export const shortDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));
/** `Tuesday 3 November`. */
export const longDay = (day: string): string => long.format(new Date(`${day}T00:00:00Z`)).replace(",", "");
