/** An IMAP server on this machine. It behaves well until a test says what it does in place of an answer. */
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import {
  createSecureContext,
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  TLSSocket,
} from "node:tls";
import { afterAll, beforeAll } from "vitest";
import type { MailServer } from "#lib/providers/imap/client.ts";

const pem = (name: string): string => readFileSync(`lib/testing/samples/tls/loopback.${name}.pem`, "utf8");

/** Trusts the certificate of the servers of this file, in this test file only. */
export function useLoopbackCertificate(): void {
  const trusted = getCACertificates("default");
  beforeAll(() => setDefaultCACertificates([...trusted, pem("cert")]));
  afterAll(() => setDefaultCACertificates(trusted));
}

export type StoredMail = {
  uid: number;
  source: string | Buffer;
  /** as IMAP writes it; unset: 1 June 2026 */
  internalDate?: string;
  /** what it says its size is, where that is not true */
  saidSize?: number;
  /** it is listed, and not given; `denied`: and not there when it is asked for by itself */
  withheld?: "withheld" | "denied" | null;
};

export type StoredFolder = {
  /** as it stands on the wire */
  path: string;
  flags?: string[];
  uidValidity?: number | null;
  /** null: it does not say it */
  uidNext?: number | null;
  highestModseq?: number;
  mails: StoredMail[];
};

type Settings = {
  /** `stripped`: no TLS at all, as someone on the way would have it */
  security?: "tls" | "starttls" | "stripped";
  capabilities?: string[];
  folders?: StoredFolder[];
  /** what it says first; null: nothing */
  greeting?: string | null;
};

/** What a test does with a connection in place of an answer. */
type Wire = { say(line: string): void; send(bytes: string | Buffer): void; cut(): void; tag: string };

type Instead = { pattern: RegExp; how: (wire: Wire, line: string) => void; times: number };

export const LOGIN = { user: "anna@acme.example", password: "correct horse" };
export const TOKEN = "ya29.a-token-of-anna";

export class ImapServer {
  readonly #server: Server;
  readonly #sessions = new Set<Session>();
  readonly #settings: Settings;
  readonly security: "tls" | "starttls" | "stripped";
  capabilities: string[];
  folders: StoredFolder[];
  greeting: string | null;
  /** Commands without their tags. Secrets are in them too: a test looks whether they are anywhere else. */
  readonly commands: string[] = [];
  insteads: Instead[] = [];
  /** Access tokens that it takes. */
  tokens = new Set([TOKEN]);
  /** connections that were ever made */
  made = 0;

  constructor(settings: Settings = {}) {
    this.#settings = settings;
    this.security = settings.security ?? "tls";
    this.capabilities = [];
    this.folders = [];
    this.greeting = "";
    this.calm();
    const begin = (socket: Socket): void => {
      this.made++;
      const session = new Session(this, socket);
      this.#sessions.add(session);
      session.closed.then(() => this.#sessions.delete(session)).catch(() => undefined);
    };
    this.#server =
      this.security === "tls"
        ? createTlsServer({ key: pem("key"), cert: pem("cert") }, begin).on("tlsClientError", () => undefined)
        : createServer(begin);
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Lets the process end while it listens. */
  rest(): void {
    this.#server.unref();
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get address(): MailServer {
    return {
      host: "127.0.0.1",
      port: (this.#server.address() as AddressInfo).port,
      secure: this.security === "tls",
    };
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sessions.size;
  }

  /** Back to how it was made. */
  calm(): void {
    const { capabilities = ["IDLE", "AUTH=PLAIN", "AUTH=XOAUTH2"], folders = [], greeting } = this.#settings;
    this.capabilities = [...capabilities];
    this.folders = structuredClone(folders);
    this.greeting = greeting === undefined ? "* OK ready" : greeting;
    this.commands.length = 0;
    this.insteads = [];
    this.tokens = new Set([TOKEN]);
    this.made = 0;
  }

  /** What happens in place of the answer to the next commands that match. */
  instead(pattern: RegExp, how: Instead["how"], times = 1): void {
    this.insteads.push({ pattern, how, times });
  }

  takeInstead(line: string): Instead["how"] | undefined {
    const due = this.insteads.find(({ pattern, times }) => times > 0 && pattern.test(line));
    if (due) due.times--;
    return due?.how;
  }

  /** A new message; whoever has the folder open is told. */
  deliver(path: string, mail: StoredMail): void {
    const folder = this.folders.find((one) => one.path === path);
    if (!folder) throw new Error(`There is no folder ${path}.`);
    folder.mails.push(mail);
    for (const session of this.#sessions) session.tell(folder);
  }
}

let standing: Promise<ImapServer> | undefined;

/** One server of a process, for tests that only need some server; its certificate is trusted, and it does not keep the process. */
export function standingImapServer(): Promise<ImapServer> {
  standing ??= (async () => {
    setDefaultCACertificates([...getCACertificates("default"), pem("cert")]);
    const server = new ImapServer({ folders: [{ path: "INBOX", mails: [] }] });
    await server.start();
    server.rest();
    return server;
  })();
  return standing;
}

/** A server for a test file, calm again before each of its tests when they ask for it. */
export function useImapServer(settings: Settings = {}): ImapServer {
  const server = new ImapServer(settings);
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}

class Session {
  readonly #server: ImapServer;
  readonly closed: Promise<void>;
  #socket: Socket;
  #rest = "";
  #folder: StoredFolder | null = null;
  /** How many messages the client knows of. */
  #told = 0;
  #tag = "";
  /** What the next line is, when it is no command. */
  #awaited: ((line: string) => void) | null = null;

  constructor(server: ImapServer, socket: Socket) {
    this.#server = server;
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.on("close", () => resolve()));
    this.#listen(socket);
    if (server.greeting !== null) this.#say(server.greeting);
  }

  cut(): void {
    this.#socket.destroy();
  }

  tell(folder: StoredFolder): void {
    if (this.#folder !== folder || this.#awaited === null) return;
    this.#tellCount();
  }

  #tellCount(): void {
    const count = this.#folder?.mails.length ?? 0;
    if (count > this.#told) this.#say(`* ${count} EXISTS`);
    this.#told = count;
  }

  #listen(socket: Socket): void {
    socket.on("error", () => undefined); // a reset ends in "close" too
    socket.on("data", (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString("latin1")).split("\r\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    });
  }

  #say(line: string): void {
    this.#send(`${line}\r\n`);
  }

  #send(bytes: string | Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  #take(line: string): void {
    if (this.#awaited) {
      const awaited = this.#awaited;
      this.#awaited = null;
      this.#server.commands.push(line);
      awaited(line);
      return;
    }
    const [, tag = "", rest = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    this.#tag = tag;
    this.#server.commands.push(rest);
    const how = this.#server.takeInstead(rest);
    const wire: Wire = {
      tag,
      say: (text) => this.#say(text),
      send: (bytes) => this.#send(bytes),
      cut: () => this.cut(),
    };
    if (how) how(wire, rest);
    else this.#answer(rest);
  }

  #ok(text = "done"): void {
    if (this.#folder) this.#tellCount();
    this.#say(`${this.#tag} OK ${text}`);
  }

  #answer(line: string): unknown {
    const [, verb = "", rest = ""] = /^((?:UID )?\S+) ?(.*)$/.exec(line) ?? [];
    switch (verb.toUpperCase()) {
      case "CAPABILITY":
        this.#say(`* CAPABILITY ${this.#capabilities().join(" ")}`);
        return this.#ok();
      case "STARTTLS":
        return this.#upgrade();
      case "AUTHENTICATE":
        return this.#authenticate(rest);
      case "LOGIN":
        return this.#admit(words(rest)[0] === LOGIN.user && words(rest)[1] === LOGIN.password);
      case "LIST":
      case "LSUB":
        return this.#list(verb.toUpperCase(), words(rest)[1] ?? "*");
      case "STATUS":
        return this.#status(words(rest)[0] ?? "");
      case "EXAMINE":
        return this.#examine(words(rest)[0] ?? "");
      case "UID SEARCH":
        return this.#search(rest);
      case "UID FETCH":
        return this.#fetch(rest);
      case "IDLE":
        this.#say("+ idling");
        this.#awaited = () => this.#ok();
        return this.#tellCount();
      case "NOOP":
        return this.#ok();
      case "LOGOUT":
        this.#say("* BYE see you");
        this.#ok();
        return void this.#socket.end();
      default:
        return this.#say(`${this.#tag} BAD what is ${verb}`);
    }
  }

  #capabilities(): string[] {
    const upgradable = this.#server.security === "starttls" && !(this.#socket instanceof TLSSocket);
    return ["IMAP4rev1", ...this.#server.capabilities, ...(upgradable ? ["STARTTLS"] : [])];
  }

  #upgrade(): void {
    const plain = this.#socket;
    plain.removeAllListeners("data");
    this.#say(`${this.#tag} OK go on`);
    const secureContext = createSecureContext({ key: pem("key"), cert: pem("cert") });
    this.#socket = new TLSSocket(plain, { isServer: true, secureContext });
    this.#rest = "";
    this.#listen(this.#socket);
  }

  #authenticate(rest: string): unknown {
    const [mechanism, initial] = rest.split(" ");
    if (mechanism === "XOAUTH2") {
      const take = (line: string): unknown => {
        const said = Buffer.from(line, "base64").toString();
        const [user, token, ...rest] = said.split("\x01");
        const isKnown = this.#server.tokens.has(token?.replace(/^auth=Bearer /, "") ?? "");
        if (user === `user=${LOGIN.user}` && isKnown && rest.join("") === "") return this.#admit(true);
        this.#say(`+ ${Buffer.from('{"status":"400"}').toString("base64")}`);
        this.#awaited = () => this.#admit(false);
      };
      if (initial !== undefined) return take(initial);
      this.#say("+ ");
      this.#awaited = take;
      return;
    }
    this.#say("+ ");
    this.#awaited = (line) => {
      const [, user, password] = Buffer.from(line, "base64").toString().split("\0");
      this.#admit(user === LOGIN.user && password === LOGIN.password);
    };
  }

  #admit(right: boolean): void {
    if (right) this.#ok("welcome");
    else this.#say(`${this.#tag} NO [AUTHENTICATIONFAILED] Invalid credentials for ${LOGIN.user}`);
  }

  #list(verb: string, pattern: string): void {
    for (const { path, flags = [] } of this.#server.folders)
      if (pattern === "*" || pattern.toUpperCase() === path.toUpperCase())
        this.#say(`* ${verb} (${flags.join(" ")}) "/" "${path}"`);
    this.#ok();
  }

  #find(path: string): StoredFolder | undefined {
    return this.#server.folders.find((one) => one.path.toUpperCase() === path.toUpperCase());
  }

  #status(path: string): unknown {
    const folder = this.#find(path);
    if (!folder || folder.flags?.includes("\\Noselect")) return this.#say(`${this.#tag} NO no such folder`);
    this.#say(`* STATUS "${path}" (MESSAGES ${folder.mails.length})`);
    this.#ok();
  }

  #examine(path: string): unknown {
    const folder = this.#find(path);
    this.#folder = null;
    if (!folder || folder.flags?.includes("\\Noselect")) return this.#say(`${this.#tag} NO no such folder`);
    const { mails, uidValidity = 17, uidNext, highestModseq } = folder;
    this.#say("* FLAGS (\\Seen)");
    this.#say(`* ${mails.length} EXISTS`);
    if (uidValidity !== null) this.#say(`* OK [UIDVALIDITY ${uidValidity}] valid`);
    const next = uidNext === undefined ? Math.max(0, ...mails.map(({ uid }) => uid)) + 1 : uidNext;
    if (next !== null) this.#say(`* OK [UIDNEXT ${next}] next`);
    if (highestModseq !== undefined) this.#say(`* OK [HIGHESTMODSEQ ${highestModseq}] highest`);
    this.#told = mails.length;
    this.#folder = folder;
    this.#ok("[READ-ONLY] open");
  }

  #search(criteria: string): void {
    const set = /\bUID (\S+)/.exec(criteria)?.[1];
    const day = (name: string): number | null => {
      const said = new RegExp(`\\b${name} "?(\\d{1,2}-\\w{3}-\\d{4})"?`).exec(criteria)?.[1];
      return said === undefined ? null : Date.parse(`${said} UTC`);
    };
    const [since, sentSince] = [day("SINCE"), day("SENTSINCE")];
    const uids = this.#mailsIn(set ?? "1:*")
      .filter((mail) => {
        if (mail.withheld === "denied" && set && !set.includes("*")) return false;
        if (since === null && sentSince === null) return true;
        const sent = Date.parse(/^Date: (.*)$/m.exec(String(mail.source))?.[1] ?? "");
        return (since !== null && Date.parse(dateOf(mail)) >= since) || (sentSince !== null && sent >= sentSince);
      })
      .map(({ uid }) => uid);
    this.#say(["* SEARCH", ...uids].join(" "));
    this.#ok();
  }

  /** Messages of a set, in order; as RFC 3501 has it, `*` is the last one, also below what stands before it. */
  #mailsIn(set: string): StoredMail[] {
    const mails = this.#folder?.mails ?? [];
    const last = mails.at(-1)?.uid ?? 0;
    const ranges = set.split(",").map((range) => {
      const [from = 0, to = from] = range.split(":").map((end) => (end === "*" ? last : Number(end)));
      return [Math.min(from, to), Math.max(from, to)] as const;
    });
    return mails.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to));
  }

  #fetch(rest: string): void {
    const [, set = "", items = ""] = /^(\S+) (.*)$/.exec(rest) ?? [];
    for (const mail of this.#mailsIn(set).filter(({ withheld }) => !withheld))
      this.#send(fetchResponse(this.#folder?.mails.indexOf(mail) ?? 0, mail, items));
    this.#ok();
  }
}

const dateOf = ({ internalDate }: StoredMail): string => internalDate ?? "01-Jun-2026 10:00:00 +0000";

/** The bytes of one message in the answer to a FETCH. */
export function fetchResponse(index: number, mail: StoredMail, items: string): Buffer {
  const source = Buffer.from(mail.source);
  const said = [`UID ${mail.uid}`];
  if (items.includes("INTERNALDATE")) said.push(`INTERNALDATE "${dateOf(mail)}"`);
  if (items.includes("RFC822.SIZE")) said.push(`RFC822.SIZE ${mail.saidSize ?? source.length}`);
  const [body, from, length] = /BODY\.PEEK\[\](?:<(\d+)\.(\d+)>)?/.exec(items) ?? [];
  if (body === undefined) return Buffer.from(`* ${index + 1} FETCH (${said.join(" ")})\r\n`);
  const start = Number(from ?? 0);
  const part = length === undefined ? source : source.subarray(start, start + Number(length));
  const key = length === undefined ? "BODY[]" : `BODY[]<${start}>`;
  return Buffer.concat([
    Buffer.from(`* ${index + 1} FETCH (${said.join(" ")} ${key} {${part.length}}\r\n`),
    part,
    Buffer.from(")\r\n"),
  ]);
}

/** Words of a command, with or without quotes. */
const words = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, word]) =>
    quoted === undefined ? (word ?? "") : quoted.replaceAll(/\\(.)/g, "$1"),
  );
