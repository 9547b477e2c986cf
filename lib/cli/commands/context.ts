import type { z } from "zod";
import type { Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";
import { type Context, getContext } from "#lib/domain/knowledge/context/contract.ts";
import { oneLine } from "#lib/text/clip.ts";
import { ask } from "../ask.ts";
import type { Fill } from "../command.ts";
import { addFields } from "../fields.ts";
import { addServer } from "../server-options.ts";
import { bold, day, dim, heading, relative, shown } from "../terminal.ts";
import { candidatesText } from "./ambiguous.ts";

export const fill: Fill = (command, perform, client) => {
  command.argument("<focus...>", "e-mail, domain, LinkedIn URL, id or name");
  addServer(addFields(command, getContext, ["focus"])).action((focus: string[]) =>
    perform(() => ask(command, client, getContext, { focus: focus.join(" ") }, contextText)),
  );
};

type Line = string | false | undefined;

const block = (title: string, lines: readonly Line[]): string[] => {
  const details = lines.filter((line): line is string => Boolean(line));
  return details.length > 0 ? ["", heading(title), ...details.map((line) => `  ${line}`)] : [];
};

function contextText(answer: z.output<typeof getContext.output>) {
  if ("status" in answer) return candidatesText(answer satisfies Ambiguous);
  const { entity, intent, summary, icp, claims, workspace, timeline, documents, stakeholders, meta } = answer;
  return [
    `${bold(entity.name)}  ${dim(`${entity.type}, for ${intent.replaceAll("_", " ")}`)}`,
    summary,
    ...block("ICP FIT", [
      icp && `${icp.score} of 100, ${icp.tier}${icp.fit ? "" : ", no fit"}${icp.reason ? `. ${icp.reason}` : ""}`,
    ]),
    ...block("FACTS", claims.map(claimLine)),
    ...block(
      "YOUR CONTEXT",
      workspace.map(({ property, value }) => `${bold(property)}: ${oneLine(value)}`),
    ),
    ...block("TIMELINE", timeline.map(eventLine)),
    ...block(
      "DOCUMENTS",
      documents.map(({ title, type, date, snippet }) => `${title ?? type} ${dim(day(date))}: ${oneLine(snippet)}`),
    ),
    ...block(
      "STAKEHOLDERS",
      stakeholders.map(({ name, role }) => (role ? `${name}, ${role}` : name)),
    ),
    "",
    dim(`${entity.id}  ${meta.token_estimate} of ${meta.budget_tokens} tokens${meta.truncated ? ", shortened" : ""}`),
  ].join("\n");
}

const claimLine = ({ property, name, value, confidence, freshness, last_observed_at }: Context["claims"][number]) =>
  `${bold(property)}: ${name ?? shown(value)} ${dim(`${confidence.toFixed(2)} ${freshness}, ${relative(last_observed_at)}`)}`;

function eventLine({ when, type, summary, count }: Context["timeline"][number]): string {
  if (count !== undefined) return dim(`${count} × ${type} in all, the latest ${relative(when)}`);
  return `${dim(day(when))}  ${type}${summary ? `: ${oneLine(summary)}` : ""}`;
}
