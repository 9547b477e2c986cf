import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { PendingApproval } from "#lib/domain/access/approvals/contract.ts";
import { createFront, type Front } from "#lib/http/front.ts";
import { PageServer } from "#lib/http/page-server.ts";
import { operations } from "#lib/registry.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { listensOn } from "./database.ts";

export type ApiAnswer = { status: number; headers: Headers; body: Record<string, unknown> };
type Init = {
  method?: string;
  key?: string;
  body?: unknown;
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
};

/**
 * Starts the front (without Next's pages) for a test file; `call` sends one request and checks a success against its contract.
 * `stop` ends it before the file does.
 */
export function useServer(): {
  url(): string;
  call(path: string, init?: Init): Promise<ApiAnswer>;
  stop(): Promise<void>;
} {
  let front: Front;
  let stopped: Promise<void> | undefined;
  let url = "";
  beforeAll(async () => {
    const pages = new PageServer();
    pages.serve(async (_request, response) => void response.end("page"));
    front = await createFront({ env: getBoot().env, pages });
    await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    const { port } = front.server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
    listensOn(port);
  });
  const stop = () => {
    stopped ??= front.drain();
    return stopped;
  };
  afterAll(stop);

  async function call(path: string, { method, key, body, raw, headers = {} }: Init = {}): Promise<ApiAnswer> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const verb = method ?? (sent === undefined ? "GET" : "POST");
    const response = await fetch(url + path, {
      method: verb,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent as BodyInit }),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
    if (response.status === 202) PendingApproval.parse(answer.body);
    else if (response.ok) checkOutput(verb, path, answer.body);
    return answer;
  }
  return { url: () => url, call, stop };
}

/** A success must match the contract to the letter: an undeclared field fails the test. */
function checkOutput(method: string, path: string, body: unknown): void {
  const [address = ""] = path.split("?");
  const fits = operations.filter(
    ({ contract: { http } }) =>
      http.method === method && new RegExp(`^${http.path.replaceAll(/:[a-z_]+/g, "[^/]+")}$`).test(address),
  );
  const operation = fits.find(({ contract }) => contract.http.path === address) ?? fits[0];
  operation?.contract.output.parse(body);
}
