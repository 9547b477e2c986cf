import { type Command, THIS_RECORD } from "./commands.ts";

export type CommandGroups = readonly (readonly [group: string, commands: readonly Command[]])[];

/**
 * The commands that match the text, the best group and the best of each group first; all of them when there is no text, those
 * of the record in view before the others.
 */
export function matching(commands: readonly Command[], text: string): CommandGroups {
  const scored = commands
    .map((command) => ({ command, score: text.trim() === "" ? 1 : relevance(command, text) }))
    .filter(({ score }) => score > 0);
  const best = (members: typeof scored) => Math.max(...members.map(({ score }) => score));
  return [...Map.groupBy(scored, ({ command }) => command.group)]
    .sort(([one, a], [other, b]) => best(b) - best(a) || Number(other === THIS_RECORD) - Number(one === THIS_RECORD))
    .map(([group, members]) => [group, members.sort((a, b) => b.score - a.score).map(({ command }) => command)]);
}

/** Every word of the text must begin a word of the command; its label counts for more than its keywords. */
function relevance({ label, keywords = [] }: Command, text: string): number {
  const wanted = words(text);
  const own = words(label);
  const other = words(keywords.join(" "));
  if (label.toLowerCase().startsWith(text.trim().toLowerCase())) return 1;
  if (wanted.every((word) => begins(own, word))) return 0.8;
  return wanted.every((word) => begins(own, word) || begins(other, word)) ? 0.5 : 0;
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

function begins(candidates: readonly string[], word: string): boolean {
  return candidates.some((candidate) => candidate.startsWith(word));
}
