import { type Command, Option } from "commander";
import type { z } from "zod";
import { recordObservations } from "#lib/domain/knowledge/observations/contract.ts";
import { ask } from "../ask.ts";
import type { Fill } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { addServer } from "../server-options.ts";
import { bold, dim, shown } from "../terminal.ts";
import { jsonFrom, textFrom } from "./input.ts";

type Options = {
  kind?: string;
  property?: string;
  value?: string;
  valueJson?: string;
  source?: string;
  method?: string;
  observedAt?: string;
  externalId?: string;
  file?: string;
};

const NEEDED = "Give --property and --value, or observations as JSON in a file (--file) or on standard input.";

export const fill: Fill = (command, perform, client) => {
  const kind = new Option("--kind <kind>", "state or event; a state when there is a value, else an event");
  kind.argChoices = ["state", "event"];
  const method = new Option("--method <method>", "how it is known: asserted, observed, inferred");
  method.argChoices = ["asserted", "observed", "inferred"];
  command
    .argument("<focus>", "e-mail, domain, LinkedIn URL or id; workspace for the workspace itself")
    .option("--property <name>", "what it is about, such as job_title or interaction.meeting_held")
    .option("--value <text>", "its value, as text")
    .option("--value-json <json>", "its value, as JSON: a number, true, null (it is not so any more), a list")
    .addOption(kind)
    .option("--source <name>", "where it comes from")
    .addOption(method)
    .option("--observed-at <time>", "when it was true; now when absent")
    .option("--external-id <id>", "your id of this report; the same one is recorded once")
    .option("--file <path>", "observations as JSON or one per line, instead of --property; - for standard input")
    .addHelpText("after", "\nWithout --property, observations are read from standard input: JSON, or one per line.");
  addServer(command).action((focus: string, options: Options) =>
    perform(() => record(command, client, focus, options)),
  );
};

async function record(command: Command, client: string, focus: string, options: Options) {
  const observations =
    options.property === undefined ? jsonFrom(await textFrom(options.file, NEEDED)) : [observationIn(options)];
  const only = observations.length === 1 ? (observations[0] as { observations?: unknown } | null) : null;
  const list = Array.isArray(only?.observations) ? only.observations : observations;
  return ask(command, client, recordObservations, { focus, observations: list }, recordedText);
}

function observationIn(options: Options): Record<string, unknown> {
  const { property, value, valueJson, source, method, observedAt, externalId, file } = options;
  if (file !== undefined) throw new CommandFailure(2, "usage", "Give --property or --file, not both.");
  if (value !== undefined && valueJson !== undefined)
    throw new CommandFailure(2, "usage", "Give --value or --value-json, not both.");
  const parsedValue = valueJson === undefined ? value : jsonIn(valueJson);
  const kind = options.kind ?? (parsedValue === undefined ? "event" : "state");
  const fields = {
    kind,
    property,
    value: parsedValue,
    source,
    method,
    observed_at: observedAt,
    external_id: externalId,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, each]) => each !== undefined));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(2, "usage", "--value-json is not JSON; for plain text use --value.");
  }
}

function recordedText(answer: z.output<typeof recordObservations.output>): string {
  const { recorded, duplicates, claims, warnings = [], stage_before, stage_after, entity_id } = answer;
  const repeats = duplicates > 0 ? `, ${duplicates} known already` : "";
  const moved = stage_after && stage_after !== stage_before ? [`Stage ${stage_before ?? "none"} → ${stage_after}`] : [];
  const believed = claims.map(({ property, value, conflict, approval_id }) => {
    const now = `${bold(property)}: ${value === undefined ? "" : shown(value)}`;
    if (approval_id) return `${now} ${dim(`a person said so; yours waits for approval, ${approval_id}`)}`;
    return conflict ? `${now} ${dim(`${conflict.source} says ${shown(conflict.value)}, which is believed`)}` : now;
  });
  const cautions = warnings.map(({ index, message }) => `Observation ${index + 1}: ${message}`);
  return [`Recorded ${recorded}${repeats}.  ${dim(entity_id)}`, ...believed, ...moved, ...cautions].join("\n");
}
