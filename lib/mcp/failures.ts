import { errorBody, type Fault } from "#lib/core/errors.ts";
import { inToolWords } from "./words.ts";

/** What a tool answers instead of its result. The text tells the model what is wrong and how to go on. */
export function failureOf(fault: Fault, requestId: string) {
  const { error, message, request_id, ...extras } = errorBody(fault, requestId);
  const told = Object.entries(extras).map(([name, value]) => `${name}: ${printed(value)}`);
  const text = [`${error}: ${inToolWords(message)}`, ...told, `request id: ${request_id}`].join("\n");
  return {
    isError: true,
    content: [{ type: "text" as const, text }],
    structuredContent: { error, message, request_id, ...extras },
  };
}

const printed = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(", ") : typeof value === "string" ? value : JSON.stringify(value);
