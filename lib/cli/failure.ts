import type { Exit } from "./exit-codes.ts";

/** Why a command that talks to a server did not work: a sentence that says what to do, and the answer if there was one. */
export class CommandFailure extends Error {
  readonly exit: Exit;
  readonly code: string;
  /** The server's answer, as it came. */
  readonly answer: string | undefined;

  constructor(exit: Exit, code: string, message: string, answer?: string) {
    super(message);
    this.name = "CommandFailure";
    this.exit = exit;
    this.code = code;
    this.answer = answer;
  }
}

export const NOT_SIGNED_IN = "Run `rapport login`, or set RAPPORT_API_KEY (and RAPPORT_URL).";
