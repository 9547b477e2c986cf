import type { IncomingMessage, ServerResponse } from "node:http";
import { type PageCount, type Progress, preparation, type Step } from "#lib/html/preparing-page.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { preparingAnswer } from "./preparing.ts";
import type { StaticFile, StaticFiles } from "./static-files.ts";

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Where a page under development waits to hear that it was edited. */
const RELOADS = "/_next/hmr";

/**
 * The server of the pages as the front sees it, from the moment the API answers: first it only reports progress, then
 * Next answers. One per process; `/readyz` shows its state.
 */
export class PageServer {
  #handler: PageHandler | undefined;
  #reloads = false;
  #files: StaticFiles | undefined;
  #step: Progress["step"] = "opening";
  #written: PageCount | null = null;
  #lastMs: number | null = null;
  readonly #since = performance.now();
  readonly #began = new Map<Step, number>();
  readonly #settled = Promise.withResolvers<void>();

  constructor() {
    current = this;
  }

  get state(): "preparing" | "ready" | "failed" {
    if (this.#handler) return "ready";
    return this.#step === "failed" ? "failed" : "preparing";
  }

  /** Sets the build's current step; from now on requests get that as their answer and do not wait. */
  prepare(step: Step, written: PageCount | null = null): void {
    this.#written = written ?? this.#written;
    if (step === this.#step) return;
    this.#step = step;
    if (!this.#began.has(step)) this.#began.set(step, performance.now());
    this.#settled.resolve();
  }

  /** How long the last build took, for those who wait for this one. */
  expect(lastMs: number | null): void {
    this.#lastMs = lastMs;
  }

  /** Answers with pages from now on. `reloads`: the server of pages also tells browsers when a page was edited. */
  serve(handler: PageHandler, { files, reloads = false }: { files?: StaticFiles; reloads?: boolean } = {}): void {
    this.#handler = handler;
    this.#files = files;
    this.#reloads = reloads;
    this.#settled.resolve();
  }

  /** Whether a request becomes a socket that the server of pages talks on. */
  takesSocket({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): boolean {
    return this.#reloads && url.startsWith(RELOADS) && headers.upgrade?.toLowerCase() === "websocket";
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
    const progress = { step: this.#step, since: this.#since, began: this.#began, written: this.#written };
    return preparingAnswer(exchange, preparation({ ...progress, lastMs: this.#lastMs }, performance.now()));
  }

  stop(): void {
    this.#settled.resolve();
    this.#files?.stop();
  }
}

let current: PageServer | undefined;

/** The pages' state in `/readyz`; undefined where a process serves none. */
export const pagesState = (): PageServer["state"] | undefined => current?.state;
