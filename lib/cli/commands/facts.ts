import type { Command } from "commander";
import type { z } from "zod";
import { listFacts, saveFact } from "#lib/domain/records/facts/contract.ts";
import { ask } from "../ask.ts";
import type { Fill, Perform } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { addFields } from "../fields.ts";
import { addServer } from "../server-options.ts";
import { dim, heading, relative } from "../terminal.ts";
import { textFrom } from "./input.ts";

export const fill: Fill = (command, perform, client) => {
  addList(
    command.command("list", { isDefault: true }).description("Show what is current, by section."),
    perform,
    client,
  );
  addSet(command.command("set").description("Write a section; what it said before becomes history."), perform, client);
  addAdd(command.command("add").description("Add an entry to a section."), perform, client);
};

function addList(list: Command, perform: Perform, client: string): void {
  addServer(addFields(list, listFacts, [])).action(() => perform(() => ask(list, client, listFacts, {}, factsText)));
}

const NEEDED = "Give the text as an argument, in a file (--file) or on standard input.";

type FileOption = { file?: string };

/** The arguments of the commands that write a section. */
function addText(command: Command, perform: Perform, client: string, fixed: Record<string, unknown>): void {
  command
    .argument("<section>", "ICP, Market, Product, …")
    .argument("[content]", "the text; else it is read from --file or standard input")
    .option("--file <path>", "file with the text");
  addServer(command).action((section: string, content: string | undefined, { file }: FileOption) =>
    perform(async () => {
      if (content !== undefined && file !== undefined)
        throw new CommandFailure(2, "usage", "Give the text or --file, not both.");
      const text = content ?? (await textFrom(file, NEEDED));
      return ask(command, client, saveFact, { section, content: text, ...fixed }, savedText);
    }),
  );
}

const addSet = (set: Command, perform: Perform, client: string): void =>
  addText(addFields(set, saveFact, ["section", "content"]), perform, client, {});

const addAdd = (add: Command, perform: Perform, client: string): void =>
  addText(add, perform, client, { mode: "append" });

const savedText = ({ fact, section, superseded }: z.output<typeof saveFact.output>): string =>
  `Saved ${section}${superseded ? "; what it replaces is in the history" : ""}.\n${dim(fact.id)}`;

function factsText({ facts }: z.output<typeof listFacts.output>): string {
  if (facts.length === 0) return 'Nothing is written yet. Begin with: rapport facts set ICP "Who you sell to."';
  const sections = Map.groupBy(facts, ({ category }) => category);
  return [...sections]
    .map(([category, entries]) =>
      [
        heading(category),
        ...entries.map(({ content, source, recorded_at, id }) =>
          [...content.split("\n").map((line) => `  ${line}`), dim(`  ${source}, ${relative(recorded_at)}  ${id}`)].join(
            "\n",
          ),
        ),
      ].join("\n"),
    )
    .join("\n\n");
}
