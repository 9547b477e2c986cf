import type { z } from "zod";
import type { Account, Ambiguous, ClaimView, getAccount } from "#lib/domain/knowledge/contacts/contract.ts";
import type { getContext } from "#lib/domain/knowledge/context/contract.ts";
import { claimLine, documentLine, fitText, textOfContext } from "#lib/domain/knowledge/context/service.ts";
import { block, day, line, minute, outside, outsideLines, paragraphs, shown } from "#lib/text/marks.ts";

const isAmbiguous = (output: object): output is Ambiguous => "candidates" in output;

/** Several records have that name: which, and how to go on. */
export const whichOne = ({ candidates, more }: Ambiguous): string =>
  `Several have that name. Call again with one of these ids:\n${candidateLines(candidates)}${more ? `\nand ${more} more: add the company, as in “Anna at Acme”.` : ""}`;

export const candidateLines = (candidates: Ambiguous["candidates"]): string =>
  outsideLines(
    candidates.map(
      ({ entity_id, name, detail }) => `- ${entity_id} ${line(name)}${detail ? ` (${line(detail)})` : ""}`,
    ),
  );

/** The answer of get_context, or which records have that name. */
export const contextText = (output: z.output<typeof getContext.output>): string =>
  isAmbiguous(output) ? whichOne(output) : textOfContext(output);

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
