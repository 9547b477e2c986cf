import { readEnv } from "#lib/settings/env.ts";
import type { Result } from "../answer.ts";
import type { Fill } from "../command.ts";
import { operatorName } from "../operator-name.ts";

type Options = { backups?: string; mail?: string; fix?: boolean };

export const fill: Fill = (doctor, perform) => {
  doctor
    .option(
      "--backups <folder>",
      "where backups are kept (a folder, or s3://bucket/prefix), to look at the newest; unset: BACKUP_TO",
    )
    .option("--mail <address>", "send a mail there, to see whether mail works")
    .option("--fix", 'do what is said under "With --fix" without it, then look again')
    .option("--json", "print one JSON object")
    .action((options: Options) => perform(() => run(options), { database: "closed" }));
};

const marks = { fine: "ok  ", warning: "warn", failing: "FAIL" } as const;

async function run({ fix = false, mail, ...options }: Options): Promise<Result> {
  const { examine, repair, worstOf } = await import("#lib/domain/workspace/doctor/service.ts");
  const env = readEnv();
  const first = await examine(env, { ...options, ...(mail === undefined ? {} : { mail }) });
  const repaired = fix ? await repair(env, first.repairs, operatorName()) : [];
  const { findings: checks, repairs } = repaired.length > 0 ? await examine(env, options) : first;
  const state = worstOf(checks);
  const count = (wanted: string) => checks.filter((each) => each.state === wanted).length;
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.map(({ check, state, says, mend }) => {
    const line = `${marks[state]}  ${check.padEnd(width)}  ${says}`;
    return mend === undefined ? line : `${line}\n${" ".repeat(width + 8)}${mend}`;
  });
  const left = repairs.map(({ says }) => says);
  const done = repaired.map(({ says, error }) => (error === null ? says : `${says} It did not work: ${error}`));
  return {
    value: { state, checks, repaired, with_fix: left },
    text: [
      ...(done.length > 0 ? [`Done:\n${bullets(done)}`] : []),
      lines.join("\n"),
      `${count("fine")} fine, ${count("warning")} to look at, ${count("failing")} failing.`,
      ...(left.length > 0 ? [`With --fix:\n${bullets(left)}`] : []),
    ].join("\n\n"),
    exit: state === "failing" ? 1 : 0,
  };
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
