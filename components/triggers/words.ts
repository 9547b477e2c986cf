import type { DeliveryStatus, DeliverySummary, Filters, Trigger } from "./calls.ts";

const triggerStatuses = {
  active: { label: "Active", tone: "success" },
  paused: { label: "Paused", tone: "neutral" },
  disabled: { label: "Disabled", tone: "danger" },
} as const;

/** How a trigger does: its status, unless its target fails. */
export const stateOf = ({ status, failing_since }: Pick<Trigger, "status" | "failing_since">) =>
  status === "active" && failing_since !== null
    ? ({ label: "Failing", tone: "warning" } as const)
    : triggerStatuses[status];

export const deliveryStatuses = {
  delivered: { label: "Delivered", tone: "success" },
  pending: { label: "Waiting", tone: "accent" },
  failed: { label: "Failed", tone: "danger" },
  skipped: { label: "Skipped", tone: "neutral" },
} as const satisfies Readonly<Record<DeliveryStatus, { label: string; tone: string }>>;

/** A delivery's last answer, in a few words. */
export function resultOf({ last_status, problem, attempts, status }: DeliverySummary): string {
  if (attempts === 0) return status === "pending" ? "Waiting for its turn." : "Never sent.";
  const tries = attempts === 1 ? "" : ` after ${attempts} attempts`;
  return problem === null ? `Answered ${last_status}${tries}.` : `${problem}${tries ? ` (${attempts} attempts)` : ""}`;
}

const list = (values: readonly unknown[]): string => values.map(String).join(", ");

/** What a trigger is narrowed to, one condition an entry. */
export const filterWords = ({ stage, property = {}, source, list: lists, plan, ...listed }: Filters): string[] => [
  ...(stage ? [`stage is ${list(stage)}`] : []),
  ...Object.entries(property).map(
    ([name, value]) => `${name} is ${Array.isArray(value) ? list(value) : String(value)}`,
  ),
  ...(source ? [`source is ${list(source)}`] : []),
  ...(plan ? [`plan is ${list(plan)}`] : []),
  ...Object.entries(listed).flatMap(([list, filters]) =>
    Object.entries(filters).map(([name, value]) => `${list} with ${name} ${valueWords(value)}`),
  ),
  ...(lists ? [`in ${lists.length === 1 ? "one lead list" : `${lists.length} lead lists`}`] : []),
];

const valueWords = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([name, each]) => `${name} ${valueWords(each)}`)
        .join(", ")
    : [value].flat().map(String).join(" or ");

export const partsOf = (text: string): string[] => text.split(",").flatMap((part) => part.trim() || []);

/** `seniority = vp, cxo` on each line, as conditions. */
export function propertiesIn(text: string): Record<string, string | string[]> {
  const lines = text.split("\n").flatMap((line): [string, string | string[]][] => {
    const at = line.indexOf("=");
    const [name, values] = [line.slice(0, at).trim(), partsOf(line.slice(at + 1))];
    const [first] = values;
    return at < 1 || name === "" || first === undefined ? [] : [[name, values.length === 1 ? first : values]];
  });
  return Object.fromEntries(lines);
}

export const textOfProperties = (property: Filters["property"] = {}): string =>
  Object.entries(property)
    .map(([name, value]) => `${name} = ${Array.isArray(value) ? list(value) : String(value)}`)
    .join("\n");
