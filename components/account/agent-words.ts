import { wordsOf } from "#components/records/names.ts";
import { tiers } from "#components/records/tiers.ts";
import type { Context, ContextPart } from "#lib/domain/knowledge/context/contract.ts";
import { day, line, minute, percent } from "#lib/text/marks.ts";
import { valueWords } from "./value-words.ts";

type Claim = Context["claims"][number];

/** The parts of the text that agents get, with words for names, and without ids and the marks that tell a model what is data. */
export const wordsOfContext = (context: Context): Record<ContextPart, readonly string[]> => ({
  Summary: [context.summary],
  "Who knows them": [context.known_by ?? ""],
  "ICP fit": context.icp ? [fitWords(context.icp)] : [],
  Facts: context.claims.map(
    (claim) =>
      `• ${wordsOf(claim.property)}: ${claimed(claim)} (${percent(claim.confidence)}, ${claim.freshness}, ${day(claim.last_observed_at)})`,
  ),
  "Your context": context.workspace.map(({ property, value }) => `• ${property}: ${value}`),
  "Open tasks": (context.tasks ?? []).map(
    ({ title, due, assignee }) =>
      `• ${line(title)}${due ? `, due ${due.includes("T") ? minute(due) : due}` : ""}${assignee ? `, ${assignee}` : ""}`,
  ),
  Conversation: context.conversation ? conversationWords(context.conversation) : [],
  Timeline: context.timeline.map(({ when, type, summary, count }) =>
    count === undefined
      ? `• ${minute(when)} ${wordsOf(type)}${summary ? `: ${line(summary)}` : ""}`
      : `• ${wordsOf(type)} × ${count}, latest ${day(when)}`,
  ),
  Documents: context.documents.map(
    ({ type, title, date, snippet }) =>
      `• ${day(date)} ${wordsOf(type)}${title ? ` “${line(title)}”` : ""}: ${line(snippet)}`,
  ),
  Stakeholders: context.stakeholders.map(({ name, role }) => `• ${line(name)}${role ? `, ${line(role)}` : ""}`),
  End: [
    ...(context.meta.truncated ? ["More is known; a larger budget shows it."] : []),
    `Id of the record: ${context.entity.id}`,
  ],
});

const fitWords = ({ score, tier, reason }: NonNullable<Context["icp"]>): string =>
  `${score} of 100, ${tiers[tier].label}${reason ? `. ${reason}` : ""}`;

const claimed = ({ property, value, name }: Claim): string => name ?? line(valueWords(property, value));

function conversationWords(conversation: NonNullable<Context["conversation"]>): string[] {
  const { when, age_days: days, type, from, to, subject, snippet, asked = [], waits_for } = conversation;
  const ago = days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
  const said = [subject && `“${line(subject)}”`, snippet && line(snippet)].filter(Boolean).join(": ");
  return [
    `• ${minute(when)} (${ago}) ${wordsOf(type)}, ${from}${to ? ` to ${to}` : ""}${said ? `: ${said}` : ""}`,
    ...asked.map((question) => `• They asked: ${line(question)}`),
    ...(waits_for ? [`• Waits for ${waits_for}`] : []),
  ];
}
