/** A local server in a provider's place: records what it receives, and runs into trouble when it is told to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type ReceivedRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown> | null;
  at: number;
};

export type Answer = { status: number; body: unknown; headers?: Record<string, string> };

/**
 * What happens to the next matching requests. `after`: so many go through first. `drops`: it does not do what was asked;
 * `unheard`: it does, but its answer is lost.
 */
type Trouble = { method?: string; path?: string; times?: number; after?: number } & (
  | { status: number; headers?: Record<string, string> | (() => Record<string, string>); body?: unknown; text?: string }
  | { hangs: true }
  | { drops: true }
  | { unheard: true }
);

export abstract class StandIn {
  readonly #server: Server;
  readonly received: ReceivedRequest[] = [];
  /** The part of its URL before the paths. */
  protected readonly base: string = "";
  readonly tokens = new Set<string>();
  #troubles: (Trouble & { times: number; after: number })[] = [];
  /** milliseconds that each answer takes */
  delay = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  protected tokenIn({ headers }: ReceivedRequest): string {
    return (headers.authorization ?? "").replace(/^Bearer /, "");
  }

  protected abstract answer(received: ReceivedRequest): Answer;
  /** what it answers to a token it does not know */
  protected abstract unknownToken(received: ReceivedRequest): Answer;

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Ends every connection, those too whose request waits for an answer. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.base}`;
  }

  trouble(what: Trouble): void {
    this.#troubles.push({ times: 1, after: 0, ...what });
  }

  /** Clears what was received, and all trouble. */
  calm(): void {
    this.received.length = 0;
    this.#troubles = [];
    this.delay = 0;
  }

  /** Requests received, as `METHOD /path`. */
  get calls(): string[] {
    return this.received.map(({ method, path }) => `${method} ${path}`);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const received: ReceivedRequest = {
      method: request.method ?? "GET",
      path: url.pathname.replace(this.base, ""),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === "" ? null : (JSON.parse(text) as Record<string, unknown>),
      at: Date.now(),
    };
    this.received.push(received);
    if (this.delay > 0) await sleep(this.delay);
    const trouble = this.#next(received);
    if (trouble && "hangs" in trouble) return; // the socket stays open until the caller or the stand-in ends
    if (trouble && "drops" in trouble) return void request.socket.destroy();
    if (trouble && "status" in trouble) {
      const headers = typeof trouble.headers === "function" ? trouble.headers() : (trouble.headers ?? {});
      return this.#send(response, { body: { status: "error", message: "It was told to." }, ...trouble, headers });
    }
    const token = this.tokenIn(received);
    const answer = this.tokens.has(token) ? this.answer(received) : this.unknownToken(received);
    if (trouble) return void request.socket.destroy();
    this.#send(response, answer);
  }

  #next({ method, path }: ReceivedRequest): Trouble | undefined {
    const fitting = this.#troubles.filter(
      (one) => (one.method === undefined || one.method === method) && path.startsWith(one.path ?? "") && one.times > 0,
    );
    const due = fitting.find(({ after }) => after === 0);
    for (const one of fitting) if (one !== due && one.after > 0) one.after--;
    if (due) due.times--;
    return due;
  }

  /** `text`: a page instead of JSON. */
  #send(response: ServerResponse, { status, body, text, headers = {} }: Answer & { text?: string }): void {
    response.writeHead(status, { "content-type": text === undefined ? "application/json" : "text/html", ...headers });
    response.end(text ?? JSON.stringify(body));
  }
}
