import { errorBody, type Fault } from "#lib/core/errors.ts";
import type { Signal } from "#lib/domain/crm/scores/contract.ts";
import type { Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";
import { signalLine } from "./text/answers.ts";
import { candidateLines } from "./text/context.ts";
import { inToolWords } from "./words.ts";

/** What a tool answers instead of its result. The text tells the model what is wrong and how to go on. */
export function failureOf(fault: Fault, requestId: string) {
  const { error, message, request_id, ...extras } = errorBody(fault, requestId);
  const details = Object.entries(extras).map(([name, value]) => `${name}: ${printed(value)}`);
  const sentence = inToolWords(message);
  const text = [`${error}: ${sentence}`, ...details, `request id: ${request_id}`].join("\n");
  return {
    isError: true,
    content: [{ type: "text" as const, text }],
    structuredContent: { error, message: sentence, request_id, ...extras },
  };
}

function printed(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === "string" ? value : JSON.stringify(value);
  if (value.every(isCandidate)) return `\n${candidateLines(value)}`;
  if (value.every(isSignal)) return `\n${value.map(signalLine).join("\n")}`;
  return value.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ");
}

const isSignal = (value: unknown): value is Signal =>
  typeof value === "object" && value !== null && "label" in value && "weight" in value;

const isCandidate = (value: unknown): value is Ambiguous["candidates"][number] =>
  typeof value === "object" && value !== null && "entity_id" in value && "name" in value && "detail" in value;
