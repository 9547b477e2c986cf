import { errorBody, isFault } from "#lib/core/errors.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { isOperatorError, OperatorError } from "#lib/settings/operator-error.ts";
import type { Exit } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { harmless } from "./terminal.ts";

/** What a command ends with. `stdout` and `stderr` are complete texts, so that nothing else can get between them. */
export type Ending = { exit: Exit; stdout: string; stderr: string };

/**
 * A command's result and its text for a person; null when everything was streamed. The result of an operation is `raw`,
 * the API's own JSON. `exit`: other than 0, for a result that needs attention.
 */
export type Result = ({ value: Record<string, unknown> } | { raw: string }) & { text: string | null; exit?: Exit };

export const succeed = (result: Result, json: boolean): Ending => ({
  exit: result.exit ?? 0,
  stdout: result.text === null ? "" : `${json ? jsonOf(result) : result.text}\n`,
  stderr: "",
});

const jsonOf = (result: Result): string => ("raw" in result ? result.raw : JSON.stringify(result.value));

/**
 * What talks to a server says itself how it ends. Else a value that is not accepted is a wrong argument (exit 2), and
 * anything else exit 1.
 */
export function fail(thrown: unknown, json: boolean): Ending {
  if (thrown instanceof CommandFailure) {
    const { exit, code, message, answer } = thrown;
    if (json) return { exit, stdout: `${answer ?? JSON.stringify({ error: code, message })}\n`, stderr: "" };
    return { exit, stdout: "", stderr: `${harmless(message)}\n` };
  }
  const error = isUnavailable(thrown) ? databaseAway(thrown) : thrown;
  const exit = isFault(error) && error.status === 400 ? 2 : 1;
  const { request_id: _, ...body } = isFault(error) ? errorBody(error, "") : { request_id: "", ...unforeseen(error) };
  if (json) return { exit, stdout: `${JSON.stringify(body)}\n`, stderr: "" };
  const detail = isFault(error) || isOperatorError(error) ? body.message : error instanceof Error ? error.stack : error;
  return { exit, stdout: "", stderr: `${String(detail)}\n` };
}

function unforeseen(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  const away = isOperatorError(error) && isUnavailable(error.cause);
  return { error: away ? "not_ready" : isOperatorError(error) ? "cannot_run" : "internal_error", message };
}

/** The database was lost during the command. */
const databaseAway = (cause: unknown): OperatorError => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(
    `The database cannot be reached (${reason}). The last change may have been made or not: look before you run the command again.`,
    { cause },
  );
};

/** Wrong arguments: the problem and the command's usage. */
export const misuse = (message: string, usage: string, json: boolean): Ending => ({
  exit: 2,
  stdout: json ? `${JSON.stringify({ error: "usage", message })}\n` : "",
  stderr: `${message}\n\n${usage}`,
});

/** Lines of "name   value", the values under each other. */
export function table(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
