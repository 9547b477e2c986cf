/** Debian's Dovecot on free ports of this machine, with a configuration, users and mail of its own in a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, copyFile, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { MailLogin, MailServer } from "#lib/providers/imap/client.ts";
import { dovecot as outside } from "./outside-servers.ts";
import { freePort, listening } from "./ports.ts";

export type MailUser = { user: string; password: string };

/** Dovecot runs as nobody when we are root: it then needs no rights, and leaves none behind. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

export class Dovecot {
  readonly #users: readonly MailUser[];
  #folder = "";
  #process: ChildProcess | null = null;
  #ports = { starttls: 0, tls: 0 };
  #delivered = 0;

  constructor(users: readonly MailUser[]) {
    this.#users = users;
  }

  /** TLS from the first byte. */
  get address(): MailServer {
    return { host: "127.0.0.1", port: this.#ports.tls, secure: true };
  }

  get withStarttls(): MailServer {
    return { host: "127.0.0.1", port: this.#ports.starttls, secure: false };
  }

  login(user: string): MailLogin {
    const found = this.#users.find((one) => one.user === user);
    if (!found) throw new Error(`There is no user ${user}.`);
    return found;
  }

  async start(): Promise<this> {
    this.#folder = await mkdtemp(path.join(tmpdir(), "dovecot-"));
    this.#ports = { starttls: await freePort(), tls: await freePort() };
    for (const name of ["cert", "key"])
      await copyFile(`lib/testing/samples/tls/loopback.${name}.pem`, path.join(this.#folder, `${name}.pem`));
    const users = this.#users.map(({ user, password }) => `${user}:{PLAIN}${password}\n`);
    await writeFile(path.join(this.#folder, "users"), users.join(""), { mode: 0o600 });
    await writeFile(path.join(this.#folder, "dovecot.conf"), this.#configuration());
    for (const name of ["", "users", "dovecot.conf", "cert.pem", "key.pem"])
      await chown(path.join(this.#folder, name), owner.uid, owner.gid);
    for (const name of ["run", "state", "mail"]) await this.#makeFolder(path.join(this.#folder, name));
    await this.#run();
    return this;
  }

  async stop(): Promise<void> {
    await this.#end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Ends it with all its connections, and starts it again with the same mail. */
  async restart(): Promise<void> {
    await this.#end();
    await this.#run();
  }

  /** Puts a mail into a folder as a delivery does. A nested folder has slashes. */
  async deliver(
    user: string,
    source: string | Buffer,
    { folder = "INBOX", date }: { folder?: string; date?: Date } = {},
  ) {
    const maildir = this.#maildir(user, folder);
    for (const name of ["tmp", "new", "cur"]) await this.#makeFolder(path.join(maildir, name));
    const at = Math.floor((date?.getTime() ?? Date.now()) / 1000);
    const name = `${at}.M${String(++this.#delivered).padStart(6, "0")}P${process.pid}.test`;
    const file = path.join(maildir, "tmp", name);
    await writeFile(file, source);
    await chown(file, owner.uid, owner.gid);
    if (date) await utimes(file, date, date);
    await rename(file, path.join(maildir, "new", name));
  }

  /** Many mails at once, as files of a folder that was copied. */
  async fill(user: string, sources: readonly string[], folder = "INBOX"): Promise<void> {
    const maildir = this.#maildir(user, folder);
    for (const name of ["tmp", "new", "cur"]) await this.#makeFolder(path.join(maildir, name));
    const at = Math.floor(Date.now() / 1000);
    for (let first = 0; first < sources.length; first += 200)
      await Promise.all(
        sources.slice(first, first + 200).map(async (source) => {
          const name = `${at}.M${String(++this.#delivered).padStart(6, "0")}P${process.pid}.test`;
          const file = path.join(maildir, "new", name);
          await writeFile(file, source);
          await chown(file, owner.uid, owner.gid);
        }),
      );
  }

  /** What Dovecot knows of the UIDs of a folder: without it, it gives new ones under a new UIDVALIDITY. */
  async forgetUids(user: string, folder = "INBOX"): Promise<void> {
    const maildir = this.#maildir(user, folder);
    const ours = [
      "dovecot-uidlist",
      "dovecot-uidvalidity",
      "dovecot.index",
      "dovecot.index.log",
      "dovecot.index.cache",
    ];
    for (const name of ours) await rm(path.join(maildir, name), { force: true });
  }

  #maildir(user: string, folder: string): string {
    const root = path.join(this.#folder, "mail", user);
    return folder === "INBOX" ? root : path.join(root, `.${folder.replaceAll("/", ".")}`);
  }

  async #makeFolder(folder: string): Promise<void> {
    const made = await mkdir(folder, { recursive: true });
    // Every folder that was made, from the outermost on.
    for (let one = folder; made && one.startsWith(made); one = path.dirname(one))
      await chown(one, owner.uid, owner.gid);
  }

  async #run(): Promise<void> {
    const configuration = path.join(this.#folder, "dovecot.conf");
    const child = spawn(outside.binary, ["-F", "-c", configuration], {
      stdio: ["ignore", "pipe", "pipe"],
      ...(isRoot ? owner : {}),
      // A group of its own: sessions end with it, not seconds later when they notice.
      detached: true,
      cwd: this.#folder,
    });
    this.#process = child;
    const group = -(child.pid ?? 0);
    const kill = (): void => {
      try {
        process.kill(group, "SIGTERM");
      } catch {
        // It has ended already.
      }
    };
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const failed = once(child, "exit").then(async () => {
      const log = await readFile(path.join(this.#folder, "log"), "utf8").catch(() => "");
      throw new Error(`Dovecot ended: ${said}${log}`);
    });
    failed.catch(() => undefined); // at its stop too
    await Promise.race([listening(this.#ports.tls), failed]);
  }

  async #end(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await exited;
  }

  /** Written for Dovecot 2.3, as Debian 12 has it; started without root ("rootless" in its manual). */
  #configuration(): string {
    const folder = this.#folder;
    const identity = isRoot ? { user: "nobody", group: "nogroup" } : { user: "$ENV:USER", group: "" };
    const mailbox = (name: string, use: string) => `mailbox ${name} {\n auto = subscribe\n special_use = \\${use}\n}`;
    return [
      `base_dir = ${folder}/run`,
      `state_dir = ${folder}/state`,
      `log_path = ${folder}/log`,
      "protocols = imap",
      "listen = 127.0.0.1",
      "ssl = required",
      `ssl_cert = <${folder}/cert.pem`,
      `ssl_key = <${folder}/key.pem`,
      "disable_plaintext_auth = yes",
      "first_valid_uid = 1",
      "first_valid_gid = 0",
      `default_internal_user = ${identity.user}`,
      `default_login_user = ${identity.user}`,
      ...(identity.group ? [`default_internal_group = ${identity.group}`] : []),
      "mail_max_userip_connections = 50",
      "mail_location = maildir:~",
      `passdb {\n driver = passwd-file\n args = ${folder}/users\n}`,
      `userdb {\n driver = static\n args = uid=${owner.uid} gid=${owner.gid} home=${folder}/mail/%u\n}`,
      "namespace inbox {",
      " inbox = yes",
      " separator = /",
      ...[mailbox("Sent", "Sent"), mailbox("Drafts", "Drafts"), mailbox("Junk", "Junk"), mailbox("Trash", "Trash")],
      "}",
      "service imap-login {",
      " chroot =",
      " service_count = 0", // one process for all connections, of which a bench has hundreds
      ` inet_listener imap {\n port = ${this.#ports.starttls}\n}`,
      ` inet_listener imaps {\n port = ${this.#ports.tls}\n ssl = yes\n}`,
      "}",
      // A wrong password is not paid for by the next test.
      "auth_failure_delay = 0",
      "service anvil {\n chroot =\n unix_listener anvil-auth-penalty {\n  mode = 0\n }\n}",
      "service stats {\n chroot =\n}",
      "",
    ].join("\n");
  }
}

/** A Dovecot with these users for a test file. */
export function useDovecot(...users: MailUser[]): Dovecot {
  const server = new Dovecot(users);
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
