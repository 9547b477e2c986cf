/** A mailbox at its server, by IMAP: read only. The driver (imapflow) is behind one small interface. */

import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import {
  type FetchMessageObject,
  type FetchQueryObject,
  ImapFlow,
  type MailboxObject,
  type SearchObject,
} from "imapflow";
import { getBoot } from "#lib/settings/boot.ts";
import { VERSION } from "#lib/settings/version.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { isPublicAddress } from "../addresses.ts";
import { checkedLookup } from "../checked-lookup.ts";
import { faultOf, MailFault } from "./fault.ts";
import { type Folder, foldersOf } from "./folders.ts";
import { Watch } from "./watch.ts";

export { MailFault } from "./fault.ts";
export type { Folder } from "./folders.ts";

/** `secure`: TLS from the first byte. Otherwise STARTTLS is demanded: nothing is ever said in the open but that. */
export type MailServer = { host: string; port: number; secure: boolean };

/** An access token is for XOAUTH2. */
export type MailLogin = { user: string; password: string } | { user: string; accessToken: string };

export type FolderState = {
  uidValidity: string;
  uidNext: number | null;
  messages: number;
  highestModseq: string | null;
};

/**
 * `source` is null for a message larger than `most` bytes, of which `head` has the headers. Where `head` is empty too, the server
 * lists the message and does not give it: it is there, and cannot be read. `internalDate` is 1970 where the server gives none.
 */
export type Fetched = { uid: number; internalDate: Date; size: number; source: Buffer | null; head: Buffer };

/** Every call throws `MailFault`. After `timeout`, `closed` and `throttled` the connection is over. */
export interface MailClient {
  /** Whether the server says itself when something is new (IDLE). */
  readonly announces: boolean;
  /** With the role as the server says, else by the usual names in many languages; with the number of messages when asked for. */
  folders(more?: { counted: boolean }): Promise<Folder[]>;
  /** Opens a folder to read it (EXAMINE): nothing is marked as seen. */
  open(path: string): Promise<FolderState>;
  /** The path of the open folder; null: none is. */
  readonly opened: string | null;
  /**
   * UIDs of the open folder from `from` on, in order. With `since`, of messages sent or received on its day before or later: one day
   * more than asked for, because servers compare days of their own time zone.
   */
  uids(from: number, since: Date | null): Promise<number[]>;
  /** Messages of the open folder, by ascending UID whatever the order of `uids`. What was deleted meanwhile does not come. */
  fetch(uids: readonly number[], most: number): AsyncIterable<Fetched>;
  /**
   * Waits until something is new in the open folder, or the signal ends the wait. A server that cannot say so is "ended" after
   * `pollMs`. What arrived since the last `open` or `uids` is news at once.
   */
  idle(signal: AbortSignal): Promise<"news" | "ended">;
  /** Never throws, and leaves no connection or timer. */
  close(): Promise<void>;
}

export type MailOptions = {
  /** how long the server may be silent while something is asked of it */
  timeoutMs?: number;
  /** ends everything that is asked, and the connection */
  signal?: AbortSignal;
  pollMs?: number;
  /** the operator named the server: it may be in their own network */
  isOperators?: boolean;
};

const TIMEOUT_MS = 30_000;
const POLL_MS = 5 * 60_000;
/** IDLE is renewed before a server or a router on the way takes the connection for dead. */
const IDLE_MS = 9 * 60_000;
/** How long a server may take to say goodbye. */
const LOGOUT_MS = 1_000;

/** One message, and one answer in all, may not be longer: a server that sends more is not listened to. */
const MOST_LITERAL = 32 * 1024 * 1024;
const MOST_LINE = 16 * 1024 * 1024;
/** Of a message that is too large, its headers; more than that is no header of a mail. */
const MOST_HEAD = 256 * 1024;
/** Messages whose sizes are asked for at once, and bytes of messages that are. */
const BATCH = 200;
const RUN_BYTES = 4 * 1024 * 1024;

const nothing = (): void => undefined;

export async function openMailClient(
  server: MailServer,
  login: MailLogin,
  options: MailOptions = {},
): Promise<MailClient> {
  // In its one form: `0x7f.1` is an address too.
  const host = isIP(server.host) ? server.host : domainToASCII(server.host).replace(/^\[|\]$|\.$/g, "");
  if (host === "") throw new MailFault("unreachable");
  const isPermitted = options.isOperators || getBoot().env.PRIVATE_MAIL_SERVERS.includes(host);
  const permits = isPermitted ? () => true : isPublicAddress;
  // Node resolves no address, so the look-up does not see it.
  if (isIP(host) && !permits(host)) throw new MailFault("private_address");
  const connection = new Connection({ ...server, host }, login, permits, options);
  await connection.connect();
  return connection;
}

class Connection implements MailClient {
  readonly #flow: ImapFlow;
  readonly #watch: Watch;
  readonly #pollMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.#end(new MailFault("closed"));
  #hasNews = false;
  /** ends the wait of `idle` */
  #wake: (() => void) | null = null;

  constructor(server: MailServer, login: MailLogin, permits: (address: string) => boolean, options: MailOptions) {
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#pollMs = options.pollMs ?? POLL_MS;
    this.#signal = options.signal;
    this.#flow = new ImapFlow({
      host: server.host,
      port: server.port,
      secure: server.secure,
      ...(server.secure ? {} : { doSTARTTLS: true }),
      auth: "password" in login ? { user: login.user, pass: login.password } : login,
      // The host, because the certificate of a server known by its address is compared with it after STARTTLS too.
      tls: { host: server.host, lookup: checkedLookup(permits), minVersion: "TLSv1.2" },
      clientInfo: { name: "Rapport", version: VERSION, vendor: "Rapport", "support-url": "" },
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      // The watch has the time limit: a socket cannot tell waiting for the server from resting.
      socketTimeout: 2 ** 31 - 1,
      maxIdleTime: IDLE_MS,
      maxLiteralSize: MOST_LITERAL,
      maxLineLength: MOST_LINE,
      disableAutoIdle: true,
      // CONDSTORE is enabled where it is offered: a server tells the highest MODSEQ only then.
      disableIMAP4rev2: true,
      disableCompression: true,
      // Nothing is logged. A server that throttles is only reported here; the driver would wait for it in silence.
      logger: { debug: nothing, info: nothing, error: nothing, warn: (entry) => this.#heed(entry) },
    });
    this.#watch = new Watch({
      timeoutMs,
      received: () => this.#flow.stats().received,
      end: (fault) => this.#end(fault),
    });
    this.#flow.on("error", (error: unknown) => this.#end(faultOf(error)));
    // It may have said why.
    this.#flow.on("close", () => this.#end(faultOf({ reason: this.#flow.byeReason })));
    this.#flow.on("exists", ({ count, prevCount }: { count: number; prevCount: number }) => {
      if (count > prevCount) this.#news();
    });
  }

  async connect(): Promise<void> {
    if (this.#signal?.aborted) throw new MailFault("closed");
    this.#signal?.addEventListener("abort", this.#abort, { once: true });
    try {
      await this.#watch.over(this.#flow.connect());
    } catch (error) {
      const { received } = this.#flow.stats();
      const fault = faultOf(error);
      this.#end(fault);
      // It speaks, but not like an IMAP server.
      if (fault.reason === "timeout" && received > 0 && this.#flow.capabilities.size === 0)
        throw new MailFault("not_imap");
      throw fault;
    }
  }

  get announces(): boolean {
    return this.#flow.capabilities.has("IDLE");
  }

  get opened(): string | null {
    return this.#flow.mailbox ? this.#flow.mailbox.path : null;
  }

  async folders({ counted = false } = {}): Promise<Folder[]> {
    const listed = await this.#ask(() => this.#flow.list(counted ? { statusQuery: { messages: true } } : {}));
    return foldersOf(
      listed.map(({ path, name, flags, status }) => ({ path, name, flags, messages: status?.messages })),
    );
  }

  async open(path: string): Promise<FolderState> {
    this.#hasNews = false;
    const folder = await this.#ask(async () => {
      const opened: Partial<MailboxObject> | null | undefined = await this.#flow
        .mailboxOpen(path, { readOnly: true })
        .catch((error: { responseStatus?: string }) => {
          // A fault of the folder, not of the connection.
          if (error.responseStatus === "NO" && faultOf(error).reason !== "throttled") return null;
          throw error;
        });
      return opened;
    });
    if (!folder) throw new MailFault("no_folder");
    // Without it UIDs mean nothing, and nothing could be read once and only once.
    if (folder.uidValidity === undefined) throw new MailFault("not_imap");
    return {
      uidValidity: String(folder.uidValidity),
      uidNext: folder.uidNext || null,
      messages: folder.exists ?? 0,
      highestModseq: folder.highestModseq === undefined ? null : String(folder.highestModseq),
    };
  }

  async uids(from: number, since: Date | null): Promise<number[]> {
    this.#hasNews = false;
    const day = since && new Date(since.getTime() - DAY_MS);
    const found = await this.#search({
      uid: `${from}:*`,
      draft: false, // Gmail's folder of all mail has them too
      ...(day ? { or: [{ sentSince: day }, { since: day }] } : {}),
    });
    // `n:*` names the last message even when its UID is lower.
    return found.filter((uid) => uid >= from);
  }

  async *fetch(uids: readonly number[], most: number): AsyncGenerator<Fetched> {
    const limit = Math.min(most, MOST_LITERAL - 1);
    const sorted = [...new Set(uids)].toSorted((one, other) => one - other);
    for (let at = 0; at < sorted.length; at += BATCH) {
      const entries = await this.#entriesOf(sorted.slice(at, at + BATCH));
      for (const run of runsOf(entries, limit)) yield* await this.#fetchRun(run, limit);
    }
  }

  async idle(signal: AbortSignal): Promise<"news" | "ended"> {
    this.#requireOpen();
    if (this.#hasNews) return "news";
    if (signal.aborted) return "ended";
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const wake = (): void => resolve();
    signal.addEventListener("abort", wake, { once: true });
    let timer: NodeJS.Timeout | undefined;
    try {
      if (this.announces) await this.#listen(woken);
      else {
        timer = setTimeout(wake, this.#pollMs);
        await woken;
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      this.#wake = null;
    }
    this.#requireOpen();
    return this.#hasNews ? "news" : "ended";
  }

  async close(): Promise<void> {
    if (!this.#watch.fault) {
      const goodbye = this.#flow.logout().catch(nothing);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        goodbye,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, LOGOUT_MS);
        }),
      ]);
      clearTimeout(timer);
    }
    this.#end(new MailFault("closed"));
  }

  /** Listens until woken, and then has the server end it. */
  async #listen(woken: Promise<void>): Promise<void> {
    const listening = this.#flow.idle();
    const over = listening.then(nothing, (error: unknown) => this.#end(faultOf(error)));
    await Promise.race([woken, over]);
    if (this.#watch.fault) return;
    // Any command makes the driver end IDLE first.
    await this.#ask(() => this.#flow.noop());
    await this.#watch.over(over);
  }

  /** Dates and sizes first: only then is it known which messages to ask for whole. */
  async #entriesOf(uids: readonly number[]): Promise<Entry[]> {
    const entries = new Map<number, Entry>();
    for (const { uid, internalDate, size } of await this.#fetchAll(uids, { internalDate: true, size: true }, 0))
      entries.set(uid, { uid, internalDate: dateOf(internalDate), size: size ?? 0 });
    const missing = uids.filter((uid) => !entries.has(uid));
    for (const uid of await this.#stillThere(missing)) entries.set(uid, { uid, internalDate: new Date(0), size: 0 });
    return uids.flatMap((uid) => entries.get(uid) ?? []);
  }

  /** Some messages: whole when they are not larger than `most`, else what they begin with. */
  async #fetchRun(run: readonly Entry[], most: number): Promise<Fetched[]> {
    const fetched = new Map<number, Fetched>();
    // One byte more, so that a size that was said wrong is noticed; no more than that is sent.
    await this.#read(run, Math.max(...run.map(({ size }) => (size > most ? MOST_HEAD : most + 1))), (entry, source) => {
      const whole = entry.size <= most && source.length <= most;
      const size = Math.max(entry.size, source.length);
      fetched.set(entry.uid, {
        ...entry,
        size,
        source: whole ? source : null,
        head: headOf(source.subarray(0, MOST_HEAD)),
      });
    });
    const left = await this.#stillThere(run.flatMap(({ uid }) => (fetched.has(uid) ? [] : uid)));
    for (const uid of left) {
      const entry = run.find((one) => one.uid === uid);
      if (entry) fetched.set(uid, { ...entry, source: null, head: Buffer.alloc(0) });
    }
    return run.flatMap(({ uid }) => fetched.get(uid) ?? []);
  }

  async #read(run: readonly Entry[], bytes: number, take: (entry: Entry, source: Buffer) => void): Promise<void> {
    const uids = run.map(({ uid }) => uid);
    for (const { uid, source } of await this.#fetchAll(uids, { source: { start: 0, maxLength: bytes } }, bytes)) {
      const entry = run.find((one) => one.uid === uid);
      if (entry && source) take(entry, source);
    }
  }

  async #fetchAll(uids: readonly number[], query: FetchQueryObject, bytes: number): Promise<FetchMessageObject[]> {
    if (uids.length === 0) return [];
    this.#requireOpen();
    return this.#ask(async () => {
      const messages: FetchMessageObject[] = [];
      let left = RUN_BYTES + bytes + MOST_HEAD;
      for await (const message of this.#flow.fetch(uids.join(","), { uid: true, ...query }, { uid: true })) {
        left -= message.source?.length ?? 0;
        // It said that they are smaller.
        if (left < 0 || messages.length > BATCH * 2) throw new MailFault("not_imap");
        messages.push(message);
      }
      return messages;
    });
  }

  /** Which of the messages that did not come the server still has. */
  async #stillThere(uids: readonly number[]): Promise<number[]> {
    if (uids.length === 0) return [];
    const found = new Set(await this.#search({ uid: uids.join(",") }));
    return uids.filter((uid) => found.has(uid));
  }

  async #search(query: SearchObject): Promise<number[]> {
    this.#requireOpen();
    return this.#ask(async () => {
      const found = await this.#flow.search(query, { uid: true });
      // The driver says no more than that it failed.
      if (!found) throw new MailFault("closed");
      return found;
    });
  }

  /** A command. One that fails ends the connection: what the server thinks of it afterwards is not known. */
  async #ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.#watch.fault) throw this.#watch.fault;
    try {
      return await this.#watch.over(work());
    } catch (error) {
      this.#end(faultOf(error));
      throw error;
    }
  }

  #requireOpen(): void {
    if (this.#watch.fault) throw this.#watch.fault;
    if (!this.#flow.mailbox) throw new MailFault("closed", { message: "No folder is open." });
  }

  #heed(entry: unknown): void {
    const { throttleDelay } = entry as { throttleDelay?: unknown };
    if (typeof throttleDelay === "number") this.#end(new MailFault("throttled", { retryAfterMs: throttleDelay }));
  }

  #news(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  #end(fault: MailFault): void {
    if (!this.#watch.fail(fault)) return;
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#wake?.();
    this.#flow.close();
  }
}

type Entry = { uid: number; internalDate: Date; size: number };

/** Messages that are asked for in one command: in order, not too many bytes at once, and one alone that is large or of unknown size. */
function runsOf(entries: readonly Entry[], most: number): Entry[][] {
  const runs: Entry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const alone = entry.size > most || entry.size === 0;
    if (alone || bytes + entry.size > RUN_BYTES) {
      runs.push([]);
      bytes = 0;
    }
    runs.at(-1)?.push(entry);
    bytes = alone ? Number.POSITIVE_INFINITY : bytes + entry.size;
  }
  return runs;
}

function dateOf(internalDate: Date | string | undefined): Date {
  const date = new Date(internalDate ?? 0);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** The headers, with the empty line that ends them. */
function headOf(source: Buffer): Buffer {
  const ends = ["\r\n\r\n", "\n\n"].flatMap((end) => {
    const at = source.indexOf(end);
    return at < 0 ? [] : at + end.length;
  });
  return source.subarray(0, Math.min(...ends, source.length));
}
