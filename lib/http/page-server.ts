import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, Exchange } from "./exchange.ts";
import { preparation, preparingAnswer, type Step } from "./preparing-page.ts";
import type { StaticFile, StaticFiles } from "./static-files.ts";

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The server of the pages as the front sees it, from the moment the API answers: first it only reports progress, then
 * Next answers. One per process; `/readyz` shows its state.
 */
export class PageServer {
  #handler: PageHandler | undefined;
  #files: StaticFiles | undefined;
  #step: Step | "failed" = "opening";
  #stepSince = performance.now();
  readonly #since = performance.now();
  readonly #settled = Promise.withResolvers<void>();

  constructor() {
    current = this;
  }

  get state(): "preparing" | "ready" | "failed" {
    if (this.#handler) return "ready";
    return this.#step === "failed" ? "failed" : "preparing";
  }

  /** Sets the build's current step; from now on requests get that as their answer and do not wait. */
  prepare(step: Step): void {
    if (step === this.#step) return;
    this.#step = step;
    this.#stepSince = performance.now();
    this.#settled.resolve();
  }

  /** Answers with pages from now on. */
  serve(handler: PageHandler, files?: StaticFiles): void {
    this.#handler = handler;
    this.#files = files;
    this.#settled.resolve();
  }

  /** There will be none until the next start. */
  fail(): void {
    this.#step = "failed";
    this.#settled.resolve();
  }

  /** A finished script or stylesheet. */
  file(exchange: Exchange): StaticFile | undefined {
    return this.#files?.find(exchange);
  }

  /** The handler of pages; waits when they are built and about to open. */
  async handler(): Promise<PageHandler | undefined> {
    if (!this.#handler) await this.#settled.promise;
    return this.#handler;
  }

  /** The answer while there is no handler. */
  meanwhile(exchange: Exchange): Answer {
    const now = performance.now();
    const state = preparation(this.#step, (now - this.#since) / 1000, (now - this.#stepSince) / 1000);
    return preparingAnswer(exchange, state);
  }

  stop(): void {
    this.#settled.resolve();
    this.#files?.stop();
  }
}

let current: PageServer | undefined;

/** The pages' state in `/readyz`; undefined where a process serves none. */
export const pagesState = (): PageServer["state"] | undefined => current?.state;
