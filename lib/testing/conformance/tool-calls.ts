import type { Tool } from "#lib/core/operation.ts";

type Input = Record<string, unknown>;

export type ToolResult = {
  isError?: boolean;
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
};

/** Calls a tool as a client without a session does. Throws when the protocol answers with an error. */
export async function callTool(url: string, key: string, name: string, given: Input): Promise<ToolResult> {
  const answered = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
  });
  const body = (await answered.json()) as { result?: ToolResult; error?: unknown };
  if (!body.result) throw new Error(`${name} was answered with ${JSON.stringify(body)}`);
  return body.result;
}

/** The fields of an input that the tool has, under its own names. */
export function givenOf({ parameters }: Tool, input: Input): Input {
  const pairs = parameters.map((one) => (typeof one === "string" ? ([one, one] as const) : one));
  return Object.fromEntries(pairs.flatMap(([name, field]) => (field in input ? [[name, input[field]]] : [])));
}
