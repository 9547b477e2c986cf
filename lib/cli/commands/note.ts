import type { z } from "zod";
import { saveNote } from "#lib/domain/knowledge/notes/contract.ts";
import { ask } from "../ask.ts";
import type { Fill } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { addFields } from "../fields.ts";
import { addServer } from "../server-options.ts";
import { bold, day, dim } from "../terminal.ts";
import { textFrom } from "./input.ts";

type Options = { content?: string };

const NEEDED = "Give a file, --content, or the text on standard input.";

export const fill: Fill = (command, perform, client) => {
  command
    .argument("<focus>", "e-mail, domain, LinkedIn URL or id of a person or company")
    .argument("[file]", "file with the text; - or nothing for standard input");
  addServer(addFields(command, saveNote, ["focus"])).action(
    (focus: string, file: string | undefined, options: Options) =>
      perform(async () => {
        if (file !== undefined && options.content !== undefined)
          throw new CommandFailure(2, "usage", "Give a file or --content, not both.");
        const content = options.content ?? (await textFrom(file, NEEDED));
        return ask(command, client, saveNote, { focus, content }, savedText);
      }),
  );
};

const savedText = ({ note, entity_id }: z.output<typeof saveNote.output>): string =>
  `Saved ${bold(note.metadata.title ?? note.metadata.doc_type)} of ${day(note.metadata.date)}.\n${dim(`note ${note.id} on ${entity_id}`)}`;
