/** Debian's Radicale on a free port of this machine, with users and calendars of its own in a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { radicale as outside } from "./outside-servers.ts";
import { freePort, listening } from "./ports.ts";

export type CalendarUser = { user: string; password: string };

export class Radicale {
  readonly #user: CalendarUser;
  #folder = "";
  #port = 0;
  #process: ChildProcess | null = null;

  constructor(user: CalendarUser) {
    this.#user = user;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    this.#folder = await mkdtemp(path.join(tmpdir(), "radicale-"));
    this.#port = await freePort();
    const { user, password } = this.#user;
    await writeFile(path.join(this.#folder, "users"), `${user}:${password}\n`, { mode: 0o600 });
    await writeFile(path.join(this.#folder, "config"), this.#configuration());
    const child = spawn(outside.binary, ["--config", path.join(this.#folder, "config")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    const kill = (): void => void child.kill();
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    const failed = once(child, "exit").then(() => {
      throw new Error(`Radicale ended: ${said}`);
    });
    failed.catch(() => undefined); // at its stop too
    await Promise.race([listening(this.#port), failed]);
    return this;
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async addCalendar(name: string): Promise<void> {
    await this.#send("MKCALENDAR", `${name}/`);
  }

  async put(calendar: string, object: string, ics: string): Promise<void> {
    await this.#send("PUT", `${calendar}/${object}`, ics);
  }

  /** Many objects at once, as files; read once, since Radicale takes long for what it has not seen. */
  async fill(calendar: string, objects: ReadonlyMap<string, string>): Promise<void> {
    const folder = path.join(this.#folder, "collections", "collection-root", this.#user.user, calendar);
    for (const [object, ics] of objects) await writeFile(path.join(folder, object), ics);
    await this.#send("GET", `${calendar}/`);
  }

  async remove(calendar: string, object: string): Promise<void> {
    await this.#send("DELETE", `${calendar}/${object}`);
  }

  async #send(method: string, to: string, body?: string): Promise<void> {
    const { user, password } = this.#user;
    const answer = await fetch(`${this.url}/${encodeURIComponent(user)}/${to}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
        ...(body === undefined ? {} : { "content-type": "text/calendar; charset=utf-8" }),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (!answer.ok) throw new Error(`Radicale answers ${method} ${to} with ${answer.status}: ${await answer.text()}`);
  }

  #configuration(): string {
    const folder = this.#folder;
    return [
      `[server]\nhosts = 127.0.0.1:${this.#port}`,
      `[auth]\ntype = htpasswd\nhtpasswd_filename = ${folder}/users\nhtpasswd_encryption = plain\ndelay = 0`,
      `[storage]\nfilesystem_folder = ${folder}/collections`,
      "",
    ].join("\n");
  }
}

/** A Radicale with this user for a test file. */
export function useRadicale(user: CalendarUser): Radicale {
  const server = new Radicale(user);
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
