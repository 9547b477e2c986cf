import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { writeAtomically } from "#lib/settings/write-atomically.ts";
import { explainWriteFailure } from "./data-dir.ts";

/** What the launcher remembers about the embedded server, in `<dataDir>/postgres.json` (mode 0600). */
const State = z.object({
  superuserPassword: z.string().min(1),
  password: z.string().min(1),
  /** Where the cluster lives when Postgres cannot reach the data folder. */
  home: z.string().optional(),
  /** The last port, used again so that connection pools find a restarted server. */
  port: z.number().int().optional(),
});
export type State = z.infer<typeof State>;

const stateFile = (dataDir: string) => path.join(dataDir, "postgres.json");

/** Whether the data folder has, or had, an embedded database. */
export const hasState = (dataDir: string): boolean => existsSync(stateFile(dataDir));

/** The remembered state; the first call generates the passwords. */
export function loadState(dataDir: string): State {
  const file = stateFile(dataDir);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new OperatorError(`Cannot read ${file}: ${(error as Error).message}`, { cause: error });
    }
    const password = () => randomBytes(24).toString("base64url");
    const state: State = { superuserPassword: password(), password: password() };
    saveState(dataDir, state);
    return state;
  }
  try {
    return State.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(
      `${file} is damaged: restore it from a backup, or move it away to have new passwords set.`,
      {
        cause: error,
      },
    );
  }
}

export function saveState(dataDir: string, state: State): void {
  try {
    writeAtomically(stateFile(dataDir), `${JSON.stringify(state, null, 2)}\n`);
  } catch (error) {
    throw explainWriteFailure(dataDir, error);
  }
}
