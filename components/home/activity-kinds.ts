import type { ActivityKind } from "#lib/domain/knowledge/overview/contract.ts";
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
