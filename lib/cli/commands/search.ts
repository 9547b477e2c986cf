import type { z } from "zod";
import { searchNotes } from "#lib/domain/knowledge/search/contract.ts";
import { oneLine } from "#lib/text/clip.ts";
import { ask } from "../ask.ts";
import type { Fill } from "../command.ts";
import { addFields } from "../fields.ts";
import { addServer } from "../server-options.ts";
import { bold, day, dim } from "../terminal.ts";

export const fill: Fill = (command, perform, client) => {
  command.argument("<question...>", "what you look for, in words");
  addServer(addFields(command, searchNotes, ["question"])).action((question: string[]) =>
    perform(() => ask(command, client, searchNotes, { question: question.join(" ") }, foundText)),
  );
};

function foundText({ documents }: z.output<typeof searchNotes.output>): string {
  if (documents.length === 0) return "No note was found. Try other words, or fewer.";
  return documents
    .map(({ title, type, date, similarity, snippet, id, entity_id }, at) =>
      [
        `${at + 1}. ${bold(title ?? type)}  ${dim(`${type}, ${day(date)}, ${similarity.toFixed(2)}`)}`,
        `   ${oneLine(snippet)}`,
        `   ${dim(`note ${id} on ${entity_id}`)}`,
      ].join("\n"),
    )
    .join("\n\n");
}
