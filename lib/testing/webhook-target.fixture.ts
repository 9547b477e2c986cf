/** A receiver of outbound webhooks: it records what comes, and answers as it is told. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedWebhook = {
  at: number;
  path: string;
  id: string;
  headers: IncomingHttpHeaders;
  raw: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
};

export type Behaviour = (received: ReceivedWebhook, response: ServerResponse) => void;

const accepts: Behaviour = (_received, response) => void response.writeHead(200).end("ok");

/** Answers that status, with these headers. */
export const answers =
  (status: number, headers: Record<string, string> = {}, text = ""): Behaviour =>
  (_received, response) =>
    void response.writeHead(status, headers).end(text);

/** Begins an answer and goes on byte by byte, without an end. */
export const dribbles =
  (sent: (bytes: number) => void): Behaviour =>
  (_received, response) => {
    response.writeHead(200, { "content-length": "1000000" });
    let bytes = 0;
    const timer = setInterval(() => {
      response.write("x");
      sent(++bytes);
    }, 20);
    response.on("close", () => clearInterval(timer));
  };

/** Takes the request and never answers. */
export const hangs: Behaviour = () => undefined;

export class WebhookTarget {
  readonly #server: Server;
  readonly received: ReceivedWebhook[] = [];
  behave: Behaviour = accepts;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  async start(host = "127.0.0.1", port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, host, resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  get port(): number {
    return this.#port;
  }

  url(path = "/hook"): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  accept(): void {
    this.behave = accepts;
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString("utf8");
    const { headers, url = "" } = request;
    const body = raw === "" ? {} : JSON.parse(raw);
    const received = { at: Date.now(), path: url, id: String(headers["webhook-id"]), headers, raw, body };
    this.received.push(received);
    this.behave(received, response);
  }
}
