/**
 * Instructions for an agent, as text to paste. Everything is plain HTTP: an agent does not need to install anything.
 */

import { curlOf } from "#components/curl.ts";
import { listFacts, saveFact } from "#components/operations/facts.ts";

export type AgentKind = { id: string; label: string; file: string; client: string; before?: string };

/** Agents that read instructions from a file of the project. */
export const agents: readonly AgentKind[] = [
  { id: "claude-code", label: "Claude Code", file: "CLAUDE.md", client: "claude-code" },
  { id: "codex", label: "Codex", file: "AGENTS.md", client: "codex" },
  {
    id: "cursor",
    label: "Cursor",
    file: ".cursor/rules/rapport.mdc",
    client: "cursor",
    before: "---\ndescription: How to read and evolve our go-to-market profile\nalwaysApply: true\n---\n\n",
  },
  { id: "other", label: "Any agent", file: "Instructions or system prompt", client: "my-agent" },
];

export const environmentOf = (apiKey: string): string => `export RAPPORT_API_KEY=${apiKey}`;

/** The instruction block: how to read and evolve the GTM profile. */
export const instructionsFor = (
  { client, before = "" }: AgentKind,
  origin: string,
): string => `${before}## Our go-to-market profile

What we sell, to whom and how is kept in Rapport. Read it before you research, write or plan anything about sales.

- Send every request to ${origin} with the headers
  \`Authorization: Bearer $RAPPORT_API_KEY\` and \`x-service-client: ${client}\`. Never print the key.
- Read: \`GET ${listFacts.http.path}\`, or only some sections: \`GET ${listFacts.http.path}?categories=ICP,Pricing\`.
- When you learn that a section has changed, replace it: \`POST ${saveFact.http.path}\` with
  \`{"section": "ICP", "content": "…"}\`. The old text stays as history.
- To add an entry beside the others send \`"mode": "append"\` as well; to replace exactly one entry, \`"supersedes": "<id>"\`.
- Sections: ICP, Market, Product, Pricing, Competitors, Positioning, GTM Motion, Notes.
- One short statement per section, and only what is certain. Ask before you change Pricing or Positioning.
- Every endpoint and error: ${origin}/openapi.json
`;

/** The first call, by hand. */
export const firstCall = (origin: string): string => curlOf(origin, listFacts, { headers: ["x-service-client: curl"] });

/** How the profile evolves, by hand. */
export const firstWrite = (origin: string): string =>
  curlOf(origin, saveFact, { body: { section: "ICP", content: "Series A fintechs in the EU, 20 to 200 people." } });
