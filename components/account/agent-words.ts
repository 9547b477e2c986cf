import { wordsOf } from "#components/records/names.ts";
import { isStage, stageLabels } from "#components/records/stages.ts";
import { tiers } from "#components/records/tiers.ts";
import { own } from "#lib/text/own.ts";

/**
 * A part of the text that agents get, as a person reads it: without its heading, which the page has, without ids and the marks that tell
 * a model what is data, and with words for the names of properties, activities, types of notes, tiers and stages.
 */
export const readable = (text: string): string =>
  text
    .replace(/^(?:[A-Z][A-Z ]+\n|<data>Who knows them: )/, "")
    .replaceAll(/<\/?data>/g, "")
    .replaceAll(
      /^- ([a-z][a-z0-9_]*): (.*)$/gm,
      (_, property, value) => `- ${wordsOf(property)}: ${staged(property, value)}`,
    )
    .replaceAll(
      /^(- \d{4}-\d{2}-\d{2} \d{2}:\d{2}(?: UTC)?) ([a-z][a-z0-9_.]*)/gm,
      (_, when, type) => `${when} ${wordsOf(type)}`,
    )
    .replaceAll(
      /^(- \d{4}-\d{2}-\d{2} \d{2}:\d{2}) \((\w+)(?: d ago)?\) ([a-z][a-z0-9_]*)(?=, )/gm,
      (_, when, ago, type) => `${when} (${ago === "today" ? ago : agoOf(Number(ago))}) ${wordsOf(type)}`,
    )
    .replaceAll(/^(- \d{4}-\d{2}-\d{2}) ([a-z][a-z0-9_]*)(?=[ :])/gm, (_, when, type) => `${when} ${wordsOf(type)}`)
    .replaceAll(/^- (they asked:|waits for )/gm, (_, words) => `- ${words.charAt(0).toUpperCase()}${words.slice(1)}`)
    .replaceAll(/ \[(?:\w+:)?[0-9a-f]{8}-[0-9a-f-]{27}\]$/gm, "")
    .replaceAll(/^- ([a-z][a-z0-9_.]*) (?=× \d)/gm, (_, type) => `- ${wordsOf(type)} `)
    .replace(/^entity id: /m, "Id of the record: ")
    .replace("larger budget_tokens shows", "larger budget shows")
    .replaceAll(/^- /gm, "• ")
    .replaceAll(/\b(tier_[123]|not_icp)\b/g, (tier) => own(tiers, tier)?.label ?? tier)
    .trim();

const agoOf = (days: number): string => (days === 1 ? "yesterday" : `${days} days ago`);

const staged = (property: string, value: string): string => {
  const [stage = "", ...rest] = property === "pipeline_stage" ? value.split(" ") : [];
  return isStage(stage) ? [stageLabels[stage], ...rest].join(" ") : value;
};
