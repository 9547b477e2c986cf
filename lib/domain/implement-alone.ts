import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { canonicalJson, isBrokenText } from "#lib/core/json.ts";
import { type Contract, DEFAULT_BODY_LIMIT } from "#lib/core/operation.ts";
import { type Answer, replyOf } from "./answers.ts";
import { accept } from "./authority.ts";
import { type KeptOnce, keptOnce, type Once, replayOf } from "./once.ts";
import { callsOf, type FileGiven, keepUntilApproved, known, type Operation } from "./operation.ts";

/**
 * An operation that runs in transactions of its own. Scope, plan, approval and parsing happen here. When a person has approved
 * it, it runs while the decision is locked, and is run again if the process dies in between. `file`: given in place of the
 * field of an upload. An Idempotency-Key counts where the work uses `once`.
 */
export function implementAlone<I extends z.ZodObject, O extends z.ZodType>(
  contract: Contract<I, O>,
  work: (
    caller: Caller,
    input: z.output<I>,
    given?: { file?: FileGiven; once?: KeptOnce<z.output<O>> | null },
  ) => Promise<z.output<O>>,
): Operation<I, O> {
  const check = (caller: Caller, raw: unknown): z.output<I> => accept(contract, caller, raw);
  const run = async (caller: Caller, raw: unknown, once: Once | null): Promise<Answer<z.output<O>>> => {
    const input = check(caller, raw);
    if (caller.approval === "writes") return keepUntilApproved(contract, caller, raw, once);
    return work(caller, input, { once: once && keptOnce(contract, caller, once) }).then(
      (output): Answer<z.output<O>> => ({ output, reply: null }),
      (error: unknown): Answer<z.output<O>> => ({ output: null, reply: replayOf(error) }),
    );
  };
  const { upload, bodyLimit = DEFAULT_BODY_LIMIT } = contract.http;
  return known({
    contract,
    ...callsOf(contract, run),
    ...(upload
      ? {
          async receive(caller: Caller, raw: Record<string, unknown>, file: FileGiven, once: Once | null = null) {
            // What waits for approval is kept as it is, so it cannot be larger than any other body.
            if (caller.approval === "writes")
              return this.reply(caller, { ...raw, [upload.field]: await wholeText(file, bodyLimit) });
            const input = check(caller, { ...raw, [upload.field]: ELSEWHERE });
            const kept = once && keptOnce<z.output<O>>(contract, caller, once, [canonicalJson(input)]);
            return work(caller, input, { file, once: kept }).then(
              (output) => replyOf(contract, output),
              (error: unknown) => replayOf(error),
            );
          },
        }
      : {}),
    async prepare(caller, raw) {
      const input = check(caller, raw);
      return { erases: false, run: () => work(caller, input) };
    },
  });
}

/** In place of the text of a file that is streamed: not blank, so that other fields are what is wrong. */
const ELSEWHERE = "file";

async function wholeText(file: FileGiven, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of file) {
    size += piece.length;
    if (size > limit) throw new Fault("payload_too_large", { limit_bytes: limit });
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString("utf8");
  if (isBrokenText(text)) throw new Fault("invalid_file");
  return text;
}
