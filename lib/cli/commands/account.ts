import type { z } from "zod";
import { type Account, getAccount } from "#lib/domain/knowledge/contacts/contract.ts";
import { oneLine } from "#lib/text/clip.ts";
import { ask } from "../ask.ts";
import type { Fill } from "../command.ts";
import { addFields } from "../fields.ts";
import { addServer } from "../server-options.ts";
import { bold, columns, day, dim, heading, relative, shown } from "../terminal.ts";
import { candidatesText } from "./ambiguous.ts";

export const fill: Fill = (command, perform, client) => {
  command.argument("<focus...>", "e-mail, domain, LinkedIn URL, id or name; workspace for the workspace itself");
  addServer(addFields(command, getAccount, ["focus"])).action((focus: string[]) =>
    perform(() => ask(command, client, getAccount, { focus: focus.join(" ") }, accountText)),
  );
};

const RECENT = 10;

async function accountText(answer: z.output<typeof getAccount.output>) {
  if ("candidates" in answer) return candidatesText(answer);
  const { name, type, status, pipeline_stage, icp, identifiers, entity_id } = answer;
  const about = [type, pipeline_stage && `stage ${pipeline_stage}`, icp && `ICP score ${icp.score}`];
  const state = status === "archived" ? ["archived"] : [];
  return [
    `${bold(name)}  ${dim([...about.filter(Boolean), ...state].join(", "))}`,
    ...identifiers.map(({ kind, value }) => `${dim(kind)} ${value}`),
    `${dim("id")} ${entity_id}`,
    ...(await claims(answer)),
    ...related(answer),
    ...(await recent(answer)),
    ...documents(answer),
  ].join("\n");
}

async function claims({ claims }: Account): Promise<string[]> {
  const rows = Object.values(claims).map((claim) => [
    claim.property,
    `${claim.confidence.toFixed(2)} ${claim.freshness}`,
    claim.source,
    relative(claim.last_observed_at),
    [
      claim.name ?? shown(claim.value),
      ...(claim.conflicts ?? []).map(({ value, source }) => dim(`but ${source} says ${shown(value)}`)),
    ].join("\n"),
  ]);
  if (rows.length === 0) return ["", "Nothing is believed of them yet."];
  return ["", await columns(["PROPERTY", "CONFIDENCE", "SOURCE", "LAST SEEN", "VALUE"], rows)];
}

function related({ relationships: { works_at, people, people_count } }: Account): string[] {
  const employers = works_at.map(({ name, domain }) => (domain ? `${name} (${domain})` : name));
  const staff = people.map(({ name, job_title }) => (job_title ? `${name}, ${job_title}` : name));
  return [
    ...(employers.length > 0 ? ["", `${heading("WORKS AT")} ${employers.join("; ")}`] : []),
    ...(staff.length > 0 ? ["", heading(`PEOPLE (${people_count})`), ...staff.map((line) => `  ${line}`)] : []),
  ];
}

async function recent({ recent_observations: observations }: Account): Promise<string[]> {
  const rows = observations
    .slice(0, RECENT)
    .map(({ observed_at, property, source, value }) => [
      relative(observed_at),
      property,
      source,
      value === null ? "" : shown(value),
    ]);
  return rows.length > 0 ? ["", heading("LATEST"), await columns(["WHEN", "WHAT", "SOURCE", "VALUE"], rows)] : [];
}

function documents({ documents }: Account): string[] {
  const lines = documents.map(
    ({ title, type, date, snippet }) => `  ${bold(title ?? type)} ${dim(day(date))}\n    ${oneLine(snippet)}`,
  );
  return lines.length > 0 ? ["", heading("NOTES"), ...lines] : [];
}
