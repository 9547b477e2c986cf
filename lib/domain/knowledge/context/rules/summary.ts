import type { Claim } from "#lib/domain/knowledge/contacts/service.ts";
import { closenessOf } from "#lib/domain/knowledge/relationships/service.ts";
import { daysAgo } from "#lib/text/relative-time.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** What a summary is written from. */
export type RecordSummary = {
  type: "person" | "company" | "workspace";
  name: string;
  /** the employer's name */
  company: string | null;
  /** the employer's country and size */
  firm?: { country: string | null; employeeCount: number | null } | undefined;
  domain: string | null;
  peopleCount: number;
  claims: readonly Claim[];
  /** the latest event that has happened, and the next one that is still to come */
  last: { type: string; at: Date } | null;
  next: { type: string; at: Date } | null;
  now: Date;
};

/** One to four sentences by rule: who it is, their stage, what happened last and next, and what is in dispute. */
export function summaryOf(record: RecordSummary): string {
  const { last, next, now } = record;
  const sentences = [
    `${whoIs(record)}.`,
    last
      ? `Last activity: ${words(last.type)} on ${day(last.at)} (${whenOf(last.at, now)}).`
      : record.type === "workspace"
        ? null
        : "No activity yet.",
    next ? `Next: ${words(next.type)} on ${day(next.at)}.` : null,
    disputes(record.claims),
  ];
  return sentences.filter(Boolean).join(" ");
}

function whoIs({ type, name, company, firm, domain, peopleCount, claims }: RecordSummary): string {
  const claimText = (property: string) => {
    const value = claims.find((claim) => claim.property === property)?.value;
    return typeof value === "string" && value.trim() !== "" ? value : null;
  };
  if (type === "workspace") return `${name} is this workspace`;
  if (type === "company") {
    const about = [claimText("industry"), claimText("country"), peopleCount > 0 ? `${peopleCount} known people` : null];
    return [domain && domain !== name ? `${name} (${domain})` : name, ...about].filter(Boolean).join(", ");
  }
  const role = claimText("job_title");
  const named = claimText("company") ?? company;
  const size = firm?.employeeCount ? `${firm.employeeCount.toLocaleString("en")} people` : null;
  const about = [firm?.country, size].filter(Boolean).join(", ");
  const employer = named && about ? `${named} (${about})` : named;
  const place = role && employer ? `${role} at ${employer}` : (role ?? (employer ? `of ${employer}` : null));
  return [name, place, `stage ${claimText("pipeline_stage") ?? "identified"}`].filter(Boolean).join(", ");
}

function disputes(claims: readonly Claim[]): string | null {
  const open = claims.filter((claim) => claim.conflicts.length > 0).map((claim) => words(claim.property));
  if (open.length === 0) return null;
  const shown = open.slice(0, 3).join(", ");
  return `Sources disagree about ${shown}${open.length > 3 ? ` and ${open.length - 3} more` : ""}.`;
}

const words = (name: string): string => name.replaceAll(/[_.]/g, " ");
const day = (time: Date): string => time.toISOString().slice(0, 10);

function whenOf(time: Date, now: Date): string {
  const days = daysSince(time, now);
  return days <= 1 ? `${daysAgo(days)}, UTC` : daysAgo(days);
}

/** Members that a line names. */
const MOST_NAMED = 3;

type Acquaintance = { name: string | null; email: string; strength: number; lastAt: Date };

/** "Ada (strong, 3 days ago), Ben (weak, today)": the members given, the strongest first; null when there are none. */
export function knownByLine(known: readonly Acquaintance[], now: Date): string | null {
  if (known.length === 0) return null;
  const named = known
    .slice(0, MOST_NAMED)
    .map((one) => `${one.name ?? one.email} (${closenessOf(one.strength)}, ${daysAgo(daysSince(one.lastAt, now))})`);
  const more = known.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** By calendar days of UTC: neither a workspace nor a caller has a zone of its own. */
const daysSince = (time: Date, now: Date): number => dayNumber(now) - dayNumber(time);

const dayNumber = (time: Date): number => Math.floor(time.getTime() / DAY_MS);
