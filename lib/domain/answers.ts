import { JsonText } from "#lib/core/json.ts";
import { type Contract, successStatus } from "#lib/core/operation.ts";
import { Held } from "./holding.ts";

/** What a transport sends back: the output as JSON with its HTTP status. */
export type Reply = { status: number; body: string; replayed: boolean };

/**
 * The result of a run. `reply`: already printed, because it is kept for a repeated request; `output` may then be
 * missing.
 */
export type Answer<O> = { output: O | JsonText<O> | Held; reply: null } | { output: O | Held | null; reply: Reply };

/** The output itself, of a list too. */
export const plain = <T>(output: T | JsonText<T>): T => (output instanceof JsonText ? output.parse() : output);

/** Text is the answer of a list, which creates nothing, so its status does not depend on the content. */
export function replyOf(contract: Contract, output: unknown): Reply {
  if (output instanceof Held) return { status: 202, body: JSON.stringify(output.waiting), replayed: false };
  return output instanceof JsonText
    ? {
        status: typeof contract.http.status === "number" ? contract.http.status : 200,
        body: output.text,
        replayed: false,
      }
    : { status: successStatus(contract, output), body: JSON.stringify(output), replayed: false };
}
