import type { Command } from "commander";
import type { z } from "zod";
import type { Contract } from "#lib/core/operation.ts";
import type { Waiting } from "#lib/domain/holding.ts";
import type { Result } from "./answer.ts";
import { credentials } from "./credentials.ts";
import { givenFields } from "./fields.ts";
import { callApi } from "./request.ts";
import { harmless, spinning } from "./terminal.ts";

/** Text for a person; with an exit code when it needs attention. */
type Output = string | { text: string; exit: Result["exit"] };

/** What a write answers to a key whose writes need approval. */
const waits = (answer: unknown): answer is { status: string; message: string } =>
  (answer as { status?: unknown } | null)?.status === ("pending_approval" satisfies Waiting["status"]);

/** Calls the operation with the command's options and `more` fields, and tells its answer. */
export async function ask<I extends z.ZodObject, O extends z.ZodType>(
  command: Command,
  client: string,
  contract: Contract<I, O>,
  more: Record<string, unknown>,
  tell: (answer: z.output<O>) => Output | Promise<Output>,
): Promise<Result> {
  const { url, json } = command.opts<{ url?: string; json?: boolean }>();
  const fields = { ...givenFields(command, contract), ...more };
  const { raw, value } = await spinning(contract.summary, callApi(contract, fields, credentials(url), client));
  if (json) return { raw, text: "" };
  if (waits(value)) return { raw, text: harmless(value).message };
  const answer = await tell(harmless(value));
  return typeof answer === "string" ? { raw, text: answer } : { raw, text: answer.text, exit: answer.exit ?? 0 };
}
