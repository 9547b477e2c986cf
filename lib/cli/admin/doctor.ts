import { readEnv } from "#lib/settings/env.ts";
import type { Result } from "../answer.ts";
import type { Fill } from "../command.ts";

type Options = { backups?: string; mail?: string };

export const fill: Fill = (doctor, perform) => {
  doctor
    .option(
      "--backups <folder>",
      "where backups are kept (a folder, or s3://bucket/prefix), to look at the newest; unset: BACKUP_TO",
    )
    .option("--mail <address>", "send a mail there, to see whether mail works")
    .option("--json", "print one JSON object")
    .action((options: Options) => perform(() => examine(options), { database: "closed" }));
};

const marks = { fine: "ok  ", warning: "warn", failing: "FAIL" } as const;

async function examine(options: Options): Promise<Result> {
  const { examine, worstOf } = await import("#lib/domain/workspace/doctor/service.ts");
  const checks = await examine(readEnv(), options);
  const state = worstOf(checks);
  const count = (wanted: string) => checks.filter((each) => each.state === wanted).length;
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.map(({ check, state, says, mend }) => {
    const line = `${marks[state]}  ${check.padEnd(width)}  ${says}`;
    return mend === undefined ? line : `${line}\n${" ".repeat(width + 8)}${mend}`;
  });
  return {
    value: { state, checks },
    text: `${lines.join("\n")}\n\n${count("fine")} fine, ${count("warning")} to look at, ${count("failing")} failing.`,
    exit: state === "failing" ? 1 : 0,
  };
}
