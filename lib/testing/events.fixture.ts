import { expect } from "vitest";

/** A server-sent event as a reader gets it. */
export type StreamEvent<Data = unknown> = { event: string; id: string | null; data: Data };

export type Events<Data = unknown> = { next(): Promise<StreamEvent<Data> | null>; leave(): void };

/** Opens a stream of events and reads them one by one; null when the server ended it. */
export async function eventsOf<Data = unknown>(
  address: string,
  headers: Record<string, string>,
): Promise<Events<Data>> {
  const leave = new AbortController();
  const accept = { accept: "text/event-stream" };
  const response = await fetch(address, { headers: { ...accept, ...headers }, signal: leave.signal });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  const next = async (): Promise<StreamEvent<Data> | null> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field("data");
        if (data !== undefined)
          return { event: field("event") ?? "message", id: field("id") ?? null, data: JSON.parse(data) as Data };
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
  };
  return { next, leave: () => leave.abort() };
}
