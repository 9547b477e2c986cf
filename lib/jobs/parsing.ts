/** Mail and calendars are parsed in a thread of their own: requests do not wait for that. */
import path from "node:path";
import type { Worker } from "node:worker_threads";
import { singleton } from "#lib/core/singleton.ts";
import type { Answer, Parsers, Question } from "./parsing-thread.ts";

/** Not imported: pages, which parse nothing, import this file, and their build would look for the file that the thread runs. */
const threads = process.getBuiltinModule("node:worker_threads");

/** What takes longer, or more memory, is taken for something that cannot be read. */
export const limits = singleton("parsing-limits", () => ({ ms: 60_000, mebibytes: 512 }));
/** A thread that has nothing to do gives its memory back. */
const IDLE_MS = 30_000;

type Input<Name extends keyof Parsers> = Parameters<Parsers[Name]>[0];
type Output<Name extends keyof Parsers> = Awaited<ReturnType<Parsers[Name]>>;

type Pending = Question & { resolve(output: unknown): void; reject(error: unknown): void };

const FAILED = "ParsingFailed";

/** It died of what it parsed. */
class ParsingFailed extends Error {
  override name = FAILED;
}

/** By its name: pages and the front may each have their own class, but they share the thread. */
export const isParsingFailed = (error: unknown): boolean => error instanceof Error && error.name === FAILED;

class ParsingThread {
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  /** What was given to the thread, the one that it parses first. */
  readonly #waiting = new Map<number, Pending>();

  parse<Name extends keyof Parsers>(parser: Name, input: Input<Name>): Promise<Output<Name>> {
    return new Promise<unknown>((resolve, reject) => {
      const one = { id: ++this.#count, parser, input, resolve, reject };
      this.#waiting.set(one.id, one);
      this.#send(one);
    }) as Promise<Output<Name>>;
  }

  #send({ id, parser, input }: Pending): void {
    this.#worker ??= this.#start();
    // Messages that arrived together share their memory, all of which would be sent with each.
    const own = input instanceof Uint8Array ? new Uint8Array(input) : input;
    this.#worker.postMessage(
      { id, parser, input: own } satisfies Question,
      own instanceof Uint8Array ? [own.buffer as ArrayBuffer] : [],
    );
    if (this.#waiting.size > 1) return;
    this.#worker.ref();
    this.#watch();
  }

  #start(): Worker {
    const ending = path.extname(import.meta.filename); // in a package it is JavaScript
    const entry = path.join(import.meta.dirname, `parsing-thread${ending}`);
    // What a mail leaves behind is soon collected: a large young generation would only be memory.
    const resourceLimits = { maxOldGenerationSizeMb: limits.mebibytes, maxYoungGenerationSizeMb: 12 };
    const worker = new threads.Worker(entry, { execArgv: [], resourceLimits });
    worker.on("message", (answer: Answer) => this.#take(answer));
    worker.on("error", (error) => this.#die(worker, error));
    worker.on("exit", () => this.#die(worker, new Error("it took too long")));
    return worker;
  }

  #take(answer: Answer): void {
    const one = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("error" in answer) one?.reject(answer.error);
    else one?.resolve(answer.output);
    if (this.#waiting.size === 0) this.#worker?.unref();
    this.#watch();
  }

  /** What it was parsing is given up; the rest is parsed by another. */
  #die(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    clearTimeout(this.#timer);
    const [first, ...rest] = [...this.#waiting.values()];
    this.#waiting.clear();
    first?.reject(new ParsingFailed(`The thread that parses ended at a ${first.parser}.`, { cause }));
    for (const one of rest) {
      this.#waiting.set(one.id, one);
      this.#send(one);
    }
  }

  /** Ends the thread when what it parses takes too long, or when it has had nothing to do for a while. */
  #watch(): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    const isBusy = this.#waiting.size > 0;
    const end = () => {
      if (!isBusy) this.#worker = null;
      void worker?.terminate();
    };
    this.#timer = setTimeout(end, isBusy ? limits.ms : IDLE_MS).unref();
  }
}

const state = singleton("parsing-thread", () => ({ thread: new ParsingThread() }));

/** Parses apart. Throws `ParsingFailed` when that takes too much, and what the parser throws. */
export const parseApart = <Name extends keyof Parsers>(parser: Name, input: Input<Name>): Promise<Output<Name>> =>
  state.thread.parse(parser, input);
