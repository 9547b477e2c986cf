import type { z } from "zod";
import type { Account, Ambiguous, ClaimView, Document, getAccount } from "#lib/domain/contacts/contract.ts";
import type { Context, getContext } from "#lib/domain/context/contract.ts";
import { block, day, line, minute, outside, outsideLines, paragraphs, percent, shown } from "./marks.ts";

const isAmbiguous = (output: object): output is Ambiguous => "candidates" in output;

/** Several records have that name: which, and how to go on. */
export const whichOne = ({ candidates }: Ambiguous): string =>
  `Several have that name. Call again with one of these ids:\n${outsideLines(
    candidates.map(({ entity_id, name, detail }) => `- ${entity_id} ${line(name)} (${line(detail)})`),
  )}`;

/**
 * The blocks of contract §8, each only when it has content, then the entity id. Never longer, in tokens, than the JSON of
 * the same answer, so it fits the same budget.
 */
export function contextText(output: z.output<typeof getContext.output>): string {
  if (isAmbiguous(output)) return whichOne(output);
  const { entity, summary, icp, claims, workspace, timeline, documents, stakeholders, meta } = output;
  return paragraphs([
    outside(line(summary)),
    icp && fitText(icp),
    block("FACTS", claims.map(claimLine)),
    workspace.length > 0 &&
      `YOUR CONTEXT\n${workspace.map(({ property, value }) => `- ${property}: ${value}`).join("\n")}`,
    block("TIMELINE", timeline.map(eventLine)),
    block("DOCUMENTS", documents.map(documentLine)),
    block(
      "STAKEHOLDERS",
      stakeholders.map(({ name, role }) => `- ${line(name)}${role ? `, ${line(role)}` : ""}`),
    ),
    `${meta.truncated ? "More is known; a larger budget_tokens shows it.\n" : ""}entity id: ${entity.id}`,
  ]);
}

const fitText = ({ score, tier, reason }: NonNullable<Context["icp"]>): string =>
  `ICP FIT\n${score} of 100, ${tier}${reason ? `. ${line(reason)}` : ""}`;

type Known = Pick<ClaimView, "property" | "value" | "name" | "confidence" | "freshness" | "last_observed_at">;

const claimLine = ({ property, value, name, confidence, freshness, last_observed_at }: Known): string =>
  `- ${property}: ${name ? line(name) : shown(value)} (${percent(confidence)}, ${freshness}, ${day(last_observed_at)})`;

const eventLine = ({ when, type, summary, count }: Context["timeline"][number]): string =>
  count === undefined
    ? `- ${minute(when)} ${type}${summary ? `: ${line(summary)}` : ""}`
    : `- ${type} × ${count}, latest ${day(when)}`;

const documentLine = ({ id, type, title, date, snippet }: Document): string =>
  `- ${day(date)} ${type}${title ? ` “${line(title)}”` : ""}: ${line(snippet)} [note:${id}]`;

/** Everything about one record, as blocks. */
export function accountText(output: z.output<typeof getAccount.output>): string {
  if (isAmbiguous(output)) return whichOne(output);
  const { works_at, people, people_count } = output.relationships;
  return paragraphs([
    `${outside(line(output.name))}\n${described(output)}`,
    output.icp && fitText(output.icp),
    block(
      "IDENTIFIERS",
      output.identifiers.map(({ kind, value }) => `- ${kind}: ${value}`),
    ),
    block("FACTS", Object.values(output.claims).flatMap(claimLines)),
    block("EVIDENCE", output.recent_observations.map(evidenceLine)),
    block("DOCUMENTS", output.documents.map(documentLine)),
    block(
      "WORKS AT",
      works_at.map(({ name, domain }) => `- ${line(name)}${domain ? ` (${domain})` : ""}`),
    ),
    block(
      `PEOPLE (${people.length} of ${people_count})`,
      people.map(
        ({ name, job_title, entity_id }) => `- ${line(name)}${job_title ? `, ${line(job_title)}` : ""} ${entity_id}`,
      ),
    ),
    `entity id: ${output.entity_id}`,
  ]);
}

const described = ({ type, status, pipeline_stage }: Account): string =>
  [type, status, pipeline_stage && `stage ${pipeline_stage}`].filter(Boolean).join(", ");

const claimLines = (claim: ClaimView): string[] => [
  claimLine(claim),
  ...(claim.conflicts ?? []).map(
    ({ value, source, observed_at }) => `  but ${source} said ${shown(value)} on ${day(observed_at)}`,
  ),
];

const evidenceLine = ({ observed_at, property, value, source }: Account["recent_observations"][number]): string =>
  `- ${minute(observed_at)} ${property}: ${shown(value, 300)} (${source})`;
