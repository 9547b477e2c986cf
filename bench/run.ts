/**
 * `npm run bench [-- part …]`: Rapport compared with bare servers on one database, in one run. Prints ratios; fails
 * when a goal is missed. `--sizes 20000,250000,1000000` changes how many people the records part makes, `--observations` how
 * many observations the changes part makes, `--leads` how many leads the leads part makes, `--rows` how many rows are imported,
 * `--many` how many people the part with work over everyone makes.
 * `npm run bench -- ab <commit>` compares this tree with another commit (`ab/run.ts`).
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { say } from "./report.ts";
import { openStage, type Stage } from "./stage.ts";

const [, , named, ...more] = process.argv;
// Compares two commits, so it has arguments of its own.
if (named === "ab") process.exit((await runAlone("ab/run.ts", ...more)) ?? 1);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "20000,250000" },
    notes: { type: "string", default: "50000" },
    capture: { type: "string", default: "250000" },
    scoring: { type: "string", default: "250000" },
    observations: { type: "string", default: "1000000" },
    leads: { type: "string", default: "250000" },
    rows: { type: "string", default: "100000" },
    many: { type: "string", default: "250000" },
  },
});

/** A page from the end needs so many. */
const SMALLEST = 1_000;

/** Parts that run on the stage, in this order; loaded once it is up, because its start generates what they import. */
const parts: Readonly<Record<string, (stage: Stage) => Promise<string[]>>> = {
  facts: async (stage) => (await import("./facts/measure.ts")).measureFacts(stage),
  inbound: async (stage) => (await import("./inbound/measure.ts")).measureInbound(stage),
  mcp: async (stage) => (await import("./mcp/measure.ts")).measureMcp(stage),
  live: async (stage) => (await import("./live/measure.ts")).measureLive(stage),
  pages: async (stage) => (await import("./pages/measure.ts")).measurePages(stage),
  capture: async (stage) => (await import("./capture/measure.ts")).measureCapture(stage, Number(values.capture)),
  scoring: async (stage) => (await import("./scoring/measure.ts")).measureScoring(stage, Number(values.scoring)),
  imports: async (stage) => (await import("./imports/measure.ts")).measureImports(stage, Number(values.rows)),
  many: async (stage) => (await import("./many/measure.ts")).measureMany(stage, Number(values.many)),
  changes: async (stage) => (await import("./changes/measure.ts")).measureChanges(stage, Number(values.observations)),
  leads: async (stage) => (await import("./leads/measure.ts")).measureLeads(stage, Number(values.leads)),
  records: async (stage) => (await import("./records/measure.ts")).measureRecords(stage, sizes),
};
const partNames = [...Object.keys(parts), "notes", "triggers", "backups", "mail"];
const wanted = positionals.length > 0 ? positionals : partNames;
const strange = wanted.filter((part) => !partNames.includes(part));
if (strange.length > 0) {
  process.stderr.write(`There is no part ${strange.join(", ")}; the parts are ${partNames.join(", ")}.\n`);
  process.exit(2);
}
const sizes = values.sizes.split(",").map(Number);
if (wanted.includes("records") && (sizes.length < 2 || !sizes.every((size) => size >= SMALLEST))) {
  process.stderr.write(
    `--sizes takes two numbers of people or more, each at least ${SMALLEST}: --sizes 20000,250000\n`,
  );
  process.exit(2);
}

const missed: string[] = [];
if (wanted.some((part) => part in parts)) {
  const stage = await openStage();
  try {
    say(
      "32 connections; medians of rounds in turn; CPU is the server's own milliseconds a request, the database's left out",
    );
    for (const part of wanted) missed.push(...((await parts[part]?.(stage)) ?? []));
  } finally {
    await stage.close();
  }
}
// Search, deliveries, backups and mail are measured in processes of their own, against their goals and not against another server.
if (wanted.includes("triggers") && (await runAlone("triggers/run.ts")) !== 0) missed.push("triggers");
if (wanted.includes("backups") && (await runAlone("backups/run.ts")) !== 0) missed.push("backups");
if (wanted.includes("mail") && (await runAlone("mail/run.ts")) !== 0) missed.push("mail");
if (wanted.includes("notes") && (await runAlone("notes/run.ts", values.notes)) !== 0) missed.push("notes");
say(missed.length === 0 ? "\nevery goal met" : `\nmissed: ${missed.join(", ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;

function runAlone(module: string, ...more: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, module), ...more], { stdio: "inherit" });
  return new Promise((resolve) => child.once("exit", resolve));
}
