import type { ClaimView, Document } from "#lib/domain/knowledge/contacts/contract.ts";
import { block, day, line, minute, outside, paragraphs, percent, shown } from "#lib/text/marks.ts";
import type { Context, ContextPart } from "../contract.ts";

/** A part of the text. `title` is that of the page; the text has its own heading. */
type Section = { title: ContextPart; text: string };

/**
 * The blocks of contract §8, each only when it has content, then the entity id. Together never longer, in tokens, than the
 * JSON of the same answer, so they fit the same budget.
 */
export function sectionsOfContext(context: Context): Section[] {
  const {
    entity,
    summary,
    known_by: knownBy,
    icp,
    claims,
    workspace,
    timeline,
    documents,
    stakeholders,
    tasks = [],
    conversation,
    meta,
  } = context;
  const sections: [ContextPart, string | null | undefined | false][] = [
    ["Summary", outside(line(summary))],
    ["Who knows them", knownBy && outside(`Who knows them: ${line(knownBy)}`)],
    ["ICP fit", icp && fitText(icp)],
    ["Facts", block("FACTS", claims.map(claimLine))],
    [
      "Your context",
      workspace.length > 0 &&
        `YOUR CONTEXT\n${workspace.map(({ property, value }) => `- ${property}: ${value}`).join("\n")}`,
    ],
    ["Open tasks", block("OPEN TASKS", tasks.map(taskLine))],
    ["Conversation", conversation && block("CONVERSATION", conversationLines(conversation))],
    ["Timeline", block("TIMELINE", timeline.map(eventLine))],
    ["Documents", block("DOCUMENTS", documents.map(documentLine))],
    [
      "Stakeholders",
      block(
        "STAKEHOLDERS",
        stakeholders.map(({ name, role }) => `- ${line(name)}${role ? `, ${line(role)}` : ""}`),
      ),
    ],
    ["End", `${meta.truncated ? "More is known; a larger budget_tokens shows it.\n" : ""}entity id: ${entity.id}`],
  ];
  return sections.flatMap(([title, text]) => (text ? [{ title, text }] : []));
}

/** What an MCP client reads. */
export const textOfContext = (context: Context): string =>
  paragraphs(sectionsOfContext(context).map(({ text }) => text));

export const fitText = ({ score, tier, reason }: NonNullable<Context["icp"]>): string =>
  `ICP FIT\n${score} of 100, ${tier}${reason ? `. ${line(reason)}` : ""}`;

type LineClaim = Pick<ClaimView, "property" | "value" | "name" | "confidence" | "freshness" | "last_observed_at">;

export const claimLine = ({ property, value, name, confidence, freshness, last_observed_at }: LineClaim): string =>
  `- ${property}: ${name ? line(name) : shown(value)} (${percent(confidence)}, ${freshness}, ${day(last_observed_at)})`;

const taskLine = ({ id, title, due, assignee }: NonNullable<Context["tasks"]>[number]): string =>
  `- ${line(title)}${due ? `, due ${due.length === DAY ? due : minute(due)}` : ""}${assignee ? `, ${assignee}` : ""} [${id}]`;

const DAY = "2026-06-03".length;

function conversationLines(conversation: NonNullable<Context["conversation"]>): string[] {
  const { when, age_days: days, type, from, to, subject, snippet, asked = [], waits_for, thread_id } = conversation;
  const who = to ? `${line(from)} to ${line(to)}` : line(from);
  const said = [subject && `“${line(subject)}”`, snippet && line(snippet)].filter(Boolean).join(": ");
  const ago = days === 0 ? "today" : `${days} d ago`;
  return [
    `- ${minute(when)} (${ago}) ${type}, ${who}${said ? `: ${said}` : ""} [thread:${thread_id}]`,
    ...asked.map((question) => `- they asked: ${line(question)}`),
    ...(waits_for ? [`- waits for ${waits_for}`] : []),
  ];
}

const eventLine = ({ when, type, summary, count }: Context["timeline"][number]): string =>
  count === undefined
    ? `- ${minute(when)} ${type}${summary ? `: ${line(summary)}` : ""}`
    : `- ${type} × ${count}, latest ${day(when)}`;

export const documentLine = ({ id, type, title, date, snippet }: Document): string =>
  `- ${day(date)} ${type}${title ? ` “${line(title)}”` : ""}: ${line(snippet)} [note:${id}]`;
