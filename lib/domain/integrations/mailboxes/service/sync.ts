import type { Caller } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { tellMember } from "#lib/domain/integrations/connections/service.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { resumable, type StepResult, type Turn } from "#lib/jobs/resumable.ts";
import { type Folder, type MailClient, MailFault, type MailLogin, openMailClient } from "#lib/providers/imap/client.ts";
import {
  changeMailbox,
  type FolderRow,
  findDue,
  findFolder,
  findMailboxToRead,
  forgetCount,
  insertFolder,
  lockMailbox,
  type MailboxRow,
  type MailboxToRead,
  noteTrouble,
  resetFolder,
} from "../queries.ts";
import { foldersToRead } from "../rules/folders.ts";
import { arrivedOf } from "./arrived.ts";
import { countFolder, isCountDue } from "./count.ts";
import { type Batch, keepEach } from "./keep.ts";
import { syncing } from "./kind.ts";
import { adviceOf, type KeptLogin, loginOf } from "./login.ts";
import { accessOf, forgetAccess } from "./tokens.ts";
import { keepWatched, takeWatched, type WatchedFolder } from "./watch.ts";

/** How often a mailbox is looked at that does not say when something is new. */
const POLL_MS = 5 * 60_000;
/** A mailbox whose server fails is left alone for this long. */
const RETRY_MS = 10 * 60_000;
/** How long a mailbox is read before others of its workspace get their turn: their news waits no longer. */
const TURN_MS = 2_000;

const NO_KEY = "The password cannot be opened with the key of this server any more. Enter it again.";

/** A mailbox with its opened login. `mayBeOld`: its access token was given a while ago. */
type Reading = MailboxToRead & { opened: MailLogin; mayBeOld: boolean };

/** The mailbox, or the folder's place, changed meanwhile. */
class Ended extends Error {}

export const runSync = resumable(syncing, {
  turnMs: TURN_MS,
  begin:
    ({ caller, signal }, { mailbox_id: id }) =>
    async (turn) => {
      // A look that finds nothing new is all that most runs do: what it needs is read at once, without a transaction.
      const reads = { readOnly: true, operation: syncing.name };
      const mailbox = await withWorkspace(caller.workspaceId, (db) => findMailboxToRead(db, id), reads);
      if (mailbox?.state !== "connected" || !mailbox.isVerified) return "done";
      if (mailbox.hasLeft) {
        await inside(caller, (db) => changeMailbox(db, id, { state: "disconnected", credentials: "" }));
        return "done";
      }
      const kept = loginOf(mailbox);
      if (!kept) {
        await inside(caller, (db) => noteTrouble(db, mailbox, { message: NO_KEY, isVerified: false }));
        return "done";
      }
      let reading: Reading | null = null;
      try {
        reading = await openLogin(caller, mailbox, kept);
        return await read(caller, reading, turn, signal);
      } catch (error) {
        if (error instanceof Ended) return { waitMs: 0 }; // the next run reads how it is now
        if (!(error instanceof MailFault)) throw error;
        return await troubled(caller, reading ?? mailbox, error, signal);
      }
    },
});

const inside = <T>({ workspaceId }: Caller, work: (db: Db) => Promise<T>): Promise<T> =>
  withWorkspace(workspaceId, work, { operation: syncing.name });

/** A mailbox with what opens it. Throws `MailFault`. */
async function openLogin({ workspaceId }: Caller, mailbox: MailboxToRead, kept: KeptLogin): Promise<Reading> {
  if ("password" in kept) return { ...mailbox, opened: kept, mayBeOld: false };
  const { id } = mailbox;
  const { accessToken, credentials, isNew } = await accessOf(
    { workspaceId, id, credentials: mailbox.credentials },
    kept,
  );
  return { ...mailbox, credentials, opened: { user: kept.user, accessToken }, mayBeOld: !isNew };
}

/** Notes what is wrong, for its member. A refused login is not tried again until there is a new one. */
async function troubled(
  caller: Caller,
  mailbox: MailboxRow & Partial<Pick<Reading, "mayBeOld">>,
  fault: MailFault,
  signal: AbortSignal,
): Promise<StepResult> {
  if (signal.aborted) return "more";
  const refused = fault.reason === "refused_login" || fault.reason === "sign_in_over";
  if (refused) forgetAccess(mailbox.id);
  if (refused && mailbox.mayBeOld) return { waitMs: 0 };
  const message = adviceOf(mailbox, fault, mailbox.provider !== null);
  await inside(caller, (db) => noteTrouble(db, mailbox, { message, ...(refused ? { isVerified: false } : {}) }));
  tellMember(caller, mailbox.userId);
  return refused ? "done" : { waitMs: fault.retryAfterMs ?? RETRY_MS };
}

/** Reads all folders from their places on, until the turn is over. */
async function read(caller: Caller, mailbox: Reading, turn: Turn, signal: AbortSignal): Promise<StepResult> {
  return withMailbox(caller, mailbox, signal, async (client, read) => {
    const closed: string[] = [];
    const folders = foldersToRead(await client.folders(), mailbox.folders);
    const { places } = mailbox;
    for (const folder of folders)
      try {
        const place = places.find(({ path }) => path === folder.path);
        const end = await readFolder(caller, mailbox, { client, folder, place, turn });
        if (end === null) return "more";
        read.set(folder.path, end);
      } catch (error) {
        if (!(error instanceof MailFault && error.reason === "no_folder")) throw error;
        closed.push(folder.path);
      }
    const message =
      closed.length === 0 ? null : `${mailbox.host} does not open ${closed.join(", ")}. The other folders are read.`;
    const paths = folders.map(({ path }) => path);
    const left = places.filter(({ path, countedAt }) => countedAt !== null && !paths.includes(path));
    await inside(caller, async (db) => {
      // What is no longer read is no longer compared.
      for (const { path } of left) await forgetCount(db, { mailboxId: mailbox.id, path });
      await changeMailbox(db, mailbox.id, { syncedAt: new Date(), message });
    });
    return { waitMs: POLL_MS };
  });
}

/** How far folders were read to their ends. */
type ReadFolders = Map<string, bigint>;

/** Works with the connection of a mailbox, the one that was watched if there is one, and lets it be watched afterwards. */
async function withMailbox(
  { workspaceId }: Caller,
  mailbox: Reading,
  signal: AbortSignal,
  work: (client: MailClient, read: ReadFolders) => Promise<StepResult>,
): Promise<StepResult> {
  const client = (await takeWatched(mailbox)) ?? (await openMailClient(mailbox, mailbox.opened, { signal }));
  let isWatched = false;
  try {
    const read: ReadFolders = new Map();
    const done = await work(client, read);
    const { id, credentials } = mailbox;
    const folder = done === "more" ? null : toWatch(read);
    isWatched = folder !== undefined && (await keepWatched({ workspaceId, id, credentials }, client, folder));
    return done;
  } finally {
    if (!isWatched) await client.close();
  }
}

/** New mail comes to the inbox, unless the member chose other folders. */
function toWatch(read: ReadFolders): WatchedFolder | undefined {
  const [first] = read;
  const [path, nextUid] = read.has("INBOX") ? ["INBOX", read.get("INBOX")] : (first ?? []);
  return path === undefined || nextUid === undefined ? undefined : { path, nextUid };
}

type FolderReading = { client: MailClient; folder: Folder; place: FolderRow | undefined; turn: Turn };

/** Where its end is; null: the turn was over before. */
async function readFolder(
  caller: Caller,
  mailbox: MailboxRow,
  { client, folder: { path, role }, place, turn }: FolderReading,
): Promise<bigint | null> {
  const { uidValidity, uidNext } = await client.open(path);
  const isKnown = place?.uidValidity === uidValidity;
  // Nothing came since: no more is asked of the server, and nothing is written.
  if (isKnown && uidNext !== null && place.nextUid === BigInt(uidNext) && !isCountDue(place)) return place.nextUid;
  const folder = isKnown ? place : await inside(caller, (db) => placeOf(db, mailbox.id, path, uidValidity));
  const isSent = role === "sent";
  let from = folder.nextUid;
  let left = await client.uids(Number(from), mailbox.since);
  let isWhole = true;
  while (left.length > 0) {
    // One batch after the other: a mailbox takes one core at a time, so that others have the other one.
    const { asked, arrived } = await arrivedOf(client, left);
    const to = BigInt((asked.at(-1) as number) + 1);
    await keep(caller, mailbox.id, { path, isSent, uidValidity, place: { from, to }, arrived });
    from = to;
    left = left.slice(asked.length);
    isWhole &&= arrived.length === asked.length;
    turn.tell(() => tellMember(caller, mailbox.userId));
    if (left.length > 0 && turn.isOver()) return null;
  }
  // What the server had when the folder was opened is read or too old; what came since has a higher UID.
  const end = BigInt(uidNext ?? 0);
  if (end > from) await keep(caller, mailbox.id, { path, isSent, uidValidity, place: { from, to: end }, arrived: [] });
  // What did not come was deleted, or is missing.
  if (!isWhole || isCountDue(folder)) await countFolder(caller, mailbox, client, { ...folder, isSent });
  return end > from ? end : from;
}

/** Keeps a batch. Throws `Ended`. */
async function keep(caller: Caller, mailboxId: string, batch: Omit<Batch, "mailboxId">): Promise<void> {
  if (!(await keepEach(insideOf(caller, syncing.name), { mailboxId, ...batch }))) throw new Ended();
}

/** A folder's place; another `UIDVALIDITY` begins it anew, and what is there stays as it is: its messages have their keys. */
async function placeOf(db: Db, mailboxId: string, path: string, uidValidity: string): Promise<FolderRow> {
  if (!(await lockMailbox(db, mailboxId))) throw new Ended();
  const folder = await findFolder(db, mailboxId, path);
  if (!folder) await insertFolder(db, { mailboxId, path, uidValidity, nextUid: 1n });
  else if (folder.uidValidity !== uidValidity) await resetFolder(db, folder, uidValidity);
  return folder?.uidValidity === uidValidity ? folder : ((await findFolder(db, mailboxId, path)) as FolderRow);
}

/** Queues a look at mailboxes that have none waiting, because a process was killed or gave up. */
export const revive: Maintenance = {
  name: "mailboxes",
  async step(workspaceId) {
    await withWorkspace(workspaceId, async (db) => {
      for (const id of await findDue(db, new Date(Date.now() - 6 * POLL_MS)))
        await enqueue(db, syncing, { mailbox_id: id });
    });
    return false;
  },
};
