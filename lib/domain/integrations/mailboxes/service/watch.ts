import { setTimeout as sleep } from "node:timers/promises";
import { announcedWorkspace } from "#lib/auth/operator.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { together } from "#lib/core/together.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { type Ownership, ownership } from "#lib/db/ownership.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { subscribeToAll } from "#lib/live/announce.ts";
import type { MailClient } from "#lib/providers/imap/client.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { findFolder, findWatchable, type MailboxRow } from "../queries.ts";
import { news } from "./kind.ts";

/** So long the job that news is for has to take the connection; then it waits again. */
const TAKEN_MS = 10_000;
/** So long a connection is held for the job that goes on with its mailbox: others of the workspace have their turns before. */
const HELD_MS = 60_000;
/** A connection that ended sooner is not opened again before the mailbox is due. */
const LASTING_MS = 60_000;
/** Announcements come in bursts. */
const GATHER_MS = 100;

type Mailbox = Pick<MailboxRow, "id" | "credentials"> & { workspaceId: WorkspaceId };

/** Where something new is waited for, and how far it was read. */
export type WatchedFolder = { path: string; nextUid: bigint };

type Watched = Mailbox & {
  client: MailClient;
  /** ends the wait, and leaves the connection open */
  leave: AbortController;
  /** resolves when nothing waits on the connection any more; false: the connection is over too */
  ended: Promise<boolean>;
};

/**
 * Connections that wait until their servers say that something is new (IDLE), one for each mailbox. A job that has read a mailbox gives its
 * connection to be watched, and the next one takes it back, so an account has no more than one. One process watches a mailbox: it holds
 * a lock, which ends with the process.
 */
class MailWatch {
  readonly #watched = new Map<string, Watched>();
  readonly #checking = new Map<WorkspaceId, Promise<void>>();
  readonly #owned: Promise<Ownership>;
  readonly #unsubscribe: () => void;
  #beginning = 0;
  #stopped = false;

  constructor() {
    this.#owned = ownership("mailbox", { opened: () => undefined, lost: () => void this.#endAll() });
    this.#unsubscribe = subscribeToAll((event) => {
      if (event && event.announcement.topic !== "integrations") return;
      const workspaces = event ? [announcedWorkspace(event.workspaceId)] : this.#workspaces();
      for (const workspaceId of workspaces) this.#checkSoon(workspaceId);
    });
  }

  async ready(): Promise<void> {
    await this.#owned;
  }

  /** How many mailboxes are watched. */
  get size(): number {
    return this.#watched.size;
  }

  /** The connection of a mailbox, which is then the caller's; null: there is none that works with its present login. */
  async take({ id, credentials }: Pick<Mailbox, "id" | "credentials">): Promise<MailClient | null> {
    const watched = this.#watched.get(id);
    if (!watched) return null;
    const isOpen = await this.#release(watched);
    if (isOpen && watched.credentials === credentials) return watched.client;
    await watched.client.close();
    return null;
  }

  /**
   * Watches a mailbox by its connection, or only holds that for the job that goes on in a moment (null). False: the connection stays the
   * caller's.
   */
  async keep(mailbox: Mailbox, client: MailClient, folder: WatchedFolder | null): Promise<boolean> {
    const hasRoom = this.#watched.size + this.#beginning < getBoot().env.MAIL_WATCHES;
    if (this.#stopped || (folder !== null && !(client.announces && hasRoom))) return false;
    this.#beginning++;
    try {
      const owned = await this.#owned;
      if (!(await owned.tryOwn(mailbox.id))) return false;
      if (this.#stopped || this.#watched.has(mailbox.id)) {
        await owned.release(mailbox.id);
        return false;
      }
      const watched: Watched = { ...mailbox, client, leave: new AbortController(), ended: Promise.resolve(true) };
      this.#watched.set(mailbox.id, watched);
      watched.ended = folder === null ? this.#hold(watched) : this.#wait(watched, folder);
      return true;
    } finally {
      this.#beginning--;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    const watched = [...this.#watched.values()];
    await this.#endAll();
    await together([...this.#checking.values()]);
    // The process that comes next reads them at once, and watches them.
    await together(watched.map((mailbox) => sync(mailbox)));
    await (await this.#owned).stop();
  }

  async #hold(watched: Watched): Promise<boolean> {
    const { signal } = watched.leave;
    await sleep(HELD_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) void this.#end(watched);
    return true;
  }

  /** Queues a look at the mailbox whenever something is new. */
  async #wait(watched: Watched, { path, nextUid }: WatchedFolder): Promise<boolean> {
    const { client, leave } = watched;
    const began = performance.now();
    try {
      let isRead = client.opened === path; // the job read it last
      for (let place: bigint | null = nextUid; place !== null; place = await placeOf(watched, path)) {
        isRead ||= await isReadTo(client, path, place);
        const heard = isRead ? await client.idle(leave.signal) : "news";
        if (leave.signal.aborted) return true;
        isRead = false;
        if (heard === "news") await sync(watched);
        await sleep(TAKEN_MS, undefined, { signal: leave.signal, ref: false }).catch(() => undefined);
        if (leave.signal.aborted) return true;
      }
      void this.#end(watched);
      return true;
    } catch (error) {
      // The server ends connections when it likes.
      if (this.#watched.get(watched.id) === watched) void this.#lose(watched, performance.now() - began > LASTING_MS);
      if (isUnavailable(error)) log.warn({ reason: String(error) }, "a mailbox is watched no longer");
      return false;
    }
  }

  async #lose(watched: Watched, isLasting: boolean): Promise<void> {
    await this.#release(watched);
    await watched.client.close();
    if (isLasting) await sync(watched);
  }

  /** Gives up the mailbox, and waits until nothing waits on its connection. Returns whether that is open. */
  async #release(watched: Watched): Promise<boolean> {
    this.#watched.delete(watched.id);
    watched.leave.abort();
    const isOpen = await watched.ended;
    await (await this.#owned).release(watched.id);
    return isOpen;
  }

  async #end(watched: Watched): Promise<void> {
    await this.#release(watched);
    await watched.client.close();
  }

  async #endAll(): Promise<void> {
    await together([...this.#watched.values()].map((watched) => this.#end(watched)));
  }

  #workspaces(): Set<WorkspaceId> {
    return new Set([...this.#watched.values()].map(({ workspaceId }) => workspaceId));
  }

  #checkSoon(workspaceId: WorkspaceId): void {
    if (this.#stopped || this.#checking.has(workspaceId) || !this.#workspaces().has(workspaceId)) return;
    const checked = sleep(GATHER_MS, undefined, { ref: false })
      .then(() => {
        this.#checking.delete(workspaceId);
        return this.#check(workspaceId);
      })
      .catch((error: unknown) => {
        if (!isUnavailable(error)) log.error({ err: error }, "watched mailboxes could not be checked");
      });
    this.#checking.set(workspaceId, checked);
  }

  /** Ends the watch of mailboxes that are no longer to be read, or have another password. */
  async #check(workspaceId: WorkspaceId): Promise<void> {
    const watched = [...this.#watched.values()].filter((one) => one.workspaceId === workspaceId);
    if (watched.length === 0) return;
    const ids = watched.map(({ id }) => id);
    const logins = await withWorkspace(workspaceId, (db) => findWatchable(db, ids), { readOnly: true });
    for (const one of watched)
      if (logins.get(one.id) !== one.credentials && this.#watched.get(one.id) === one) await this.#end(one);
  }
}

/** Opens a folder, and says whether all of it was read. */
async function isReadTo(client: MailClient, path: string, place: bigint): Promise<boolean> {
  const { uidNext } = await client.open(path);
  return uidNext === null || BigInt(uidNext) <= place;
}

/** How far a folder was read; null: it was not, or the mailbox is no longer to be read or has another login. */
const placeOf = ({ workspaceId, id, credentials }: Mailbox, path: string): Promise<bigint | null> =>
  withWorkspace(
    workspaceId,
    async (db) => {
      if ((await findWatchable(db, [id])).get(id) !== credentials) return null;
      return (await findFolder(db, id, path))?.nextUid ?? null;
    },
    { readOnly: true },
  );

/** Queues a look for news. Never rejects: without the database the mailbox is read when it is due. */
const sync = ({ workspaceId, id }: Mailbox): Promise<void> =>
  withWorkspace(workspaceId, (db) => enqueue(db, news, { mailbox_id: id })).catch((error: unknown) => {
    if (!isUnavailable(error)) log.error({ err: error, mailbox_id: id }, "news of a mailbox could not be queued");
  });

const state = singleton<{ running: MailWatch | null }>("mail-watch", () => ({ running: null }));

/** Starts to watch mailboxes in this process: those that its jobs have read. */
export async function startMailWatch(): Promise<void> {
  state.running ??= new MailWatch();
  await state.running.ready();
}

export async function stopMailWatch(): Promise<void> {
  const { running } = state;
  state.running = null;
  await running?.stop();
}

/** How many mailboxes this process watches. */
export const watchedMailboxes = (): number => state.running?.size ?? 0;

export const takeWatched = async (mailbox: Pick<Mailbox, "id" | "credentials">): Promise<MailClient | null> =>
  (await state.running?.take(mailbox)) ?? null;

/** Watches a mailbox by its connection, or holds it for a moment (null); false where it cannot be. */
export const keepWatched = async (
  mailbox: Mailbox,
  client: MailClient,
  folder: WatchedFolder | null,
): Promise<boolean> => (await state.running?.keep(mailbox, client, folder)) ?? false;
