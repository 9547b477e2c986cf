import { isIP } from "node:net";
import { z } from "zod";
import { inBackground } from "#lib/auth/background.ts";
import { networkOf } from "#lib/auth/network.ts";
import type { Refusal } from "#lib/auth/next-auth.ts";
import { findUserByEmail, findUserById, type UserRow } from "#lib/auth/queries/users.ts";
import { membershipsOf } from "#lib/auth/sessions.ts";
import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { hashForLog, log } from "#lib/core/log.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { wrongProof } from "#lib/core/proof.ts";
import { EmailAddress, Id, Timestamp } from "#lib/core/schema.ts";
import type { Db } from "#lib/db/handle.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import type { Download } from "#lib/domain/operation.ts";
import { enqueueSoon } from "#lib/jobs/queue.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  type EntryFilter,
  type EntryPlace,
  type EntryRow,
  findEntries,
  insertEntries,
  type NewEntry,
} from "../queries/entries.ts";
import type { AuditAction, UserAction } from "../words.ts";
import { mailNotice } from "./notices.ts";
import { sealing } from "./seal.ts";

type Input = z.output<typeof contract.listAudit.input>;

export const listAudit = implement(
  contract.listAudit,
  async (ctx, { limit, cursor, ...input }) => {
    const after = cursor === undefined ? null : positionOf(ctx, cursor);
    const rows = await findEntries(ctx.db, filterOf(input), limit + 1, after);
    const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ at, id }) => [formatTime(at), id]);
    return { entries: shown.map(entryOfRow), next_cursor: next.next_cursor };
  },
  { transaction: "primary", also: { file: exportEntries } },
);

const filterOf = ({ action, ...filter }: Omit<Input, "limit" | "cursor">): EntryFilter => ({
  ...filter,
  actions: action,
});

const LINES_AT_ONCE = 1_000;

/** All entries that match, as lines of JSON. Null: the caller wants no file. */
async function exportEntries(caller: Caller, input: Input): Promise<Download | null> {
  if (input.format !== "ndjson") return null;
  const { format: _, limit: __, cursor: ___, ...asked } = input;
  const { workspaceId } = caller;
  await withWorkspace(workspaceId, (db) => recordAudit({ ...caller, db }, "audit_log.exported", null, asked));
  async function* lines(): AsyncGenerator<string> {
    let after: EntryPlace | null = null;
    for (;;) {
      const place: EntryPlace | null = after;
      const rows: EntryRow[] = await withWorkspace(
        workspaceId,
        (db) => findEntries(db, filterOf(input), LINES_AT_ONCE, place),
        {
          readOnly: true,
          operation: "exporting the audit log",
        },
      );
      yield rows.map((row) => `${JSON.stringify(entryOfRow(row))}\n`).join("");
      const last = rows.at(-1);
      if (!last || rows.length < LINES_AT_ONCE) return;
      after = { at: formatTime(last.at), id: last.id };
    }
  }
  const fileName = `audit-log-${formatTime(new Date()).slice(0, 10)}.ndjson`;
  return { fileName, type: "application/x-ndjson; charset=utf-8", lines: lines() };
}

/** Who acts, and from where. */
export type Acting = Pick<Ctx, "workspaceId" | "actor" | "client" | "requestId" | "ip" | "approvedBy">;

export function entryOf(
  acting: Acting,
  action: AuditAction,
  subject: string | null,
  detail: NewEntry["detail"],
): NewEntry {
  const { client, requestId, approvedBy } = acting;
  const ip = acting.ip !== undefined && isIP(acting.ip) !== 0 ? acting.ip : null;
  const approved = approvedBy === undefined ? {} : { approved_by: approvedBy };
  return { actor: nameOfActor(acting), client, requestId, ip, action, subject, detail: { ...detail, ...approved } };
}

/** Writes entries in the running transaction; they are sealed after it. */
export async function keepEntries(
  { db, workspaceId }: Pick<Ctx, "db" | "workspaceId">,
  entries: readonly NewEntry[],
): Promise<void> {
  await insertEntries(db, entries);
  db.afterCommit(() => enqueueSoon(workspaceId, sealing));
}

/**
 * Records in the running transaction who did what to the workspace itself. `subject` is the id of what it happened to; `detail`
 * holds names and values a reader needs, never a secret.
 */
export async function recordAudit(
  ctx: Acting & Pick<Ctx, "db">,
  action: AuditAction,
  subject: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await keepEntries(ctx, [entryOf(ctx, action, subject, detail)]);
}

export type Circumstances = Pick<Caller, "requestId" | "ip"> & Partial<Pick<Caller, "actor" | "client">>;

/**
 * Notes what concerns a user's sign-in in the audit log of every workspace they belong to, as done by themselves unless
 * an actor is given, and tells them by mail where it changes how they sign in. Nothing waits for it, so its duration does not
 * reveal whether there is such a user.
 */
export function noteOfUser(
  find: (db: Db) => Promise<UserRow | null>,
  from: Circumstances,
  action: UserAction,
  detail: Readonly<Record<string, unknown>> = {},
  whenUnknown: () => void = () => undefined,
): void {
  inBackground("noting what concerns a sign-in", async () => {
    const user = await withoutWorkspace(find);
    if (!user) return whenUnknown();
    const actor = from.actor ?? { type: "user", id: user.id };
    for (const { workspaceId } of await membershipsOf(user.id))
      await withWorkspace(workspaceId, (db) =>
        recordAudit({ client: null, ...from, db, workspaceId, actor }, action, user.id, {
          email: user.email,
          ...detail,
        }),
      );
    await mailNotice(user.email, action, from.ip);
  });
}

/** An operator who runs a command on the server. */
export const byOperator = (name: string): Circumstances => ({
  requestId: newId(),
  client: "rapport-cli",
  actor: { type: "cli", id: name },
});

/** Notes sign-ins that succeed and that are refused, and sign-outs. Attempts are throttled, so refusals cannot fill the log. */
export const notingSignIns = (from: Circumstances) => ({
  signedIn: (userId: string, how: string) =>
    noteOfUser((db) => findUserById(db, userId), from, "user.signed_in", { with: how }),
  refused: (who: { email: string } | { userId: string }, what: Refusal) => {
    const detail = { with: what };
    if ("userId" in who) return noteOfUser((db) => findUserById(db, who.userId), from, "user.sign_in_refused", detail);
    const address = EmailAddress.safeParse(who.email).data ?? "";
    const find = (db: Db) => findUserByEmail(db, address);
    noteOfUser(find, from, "user.sign_in_refused", detail, () => logStranger(address, from));
  },
  refusedUnknown: (what: Readonly<Record<string, string>>) =>
    log.warn({ ...placeOf(from), ...what }, "a sign-in was refused"),
  passwordReplaced: (userId: string) =>
    noteOfUser((db) => findUserById(db, userId), from, "user.password_changed", { by: "password" }),
  signedOut: (userId: string) => noteOfUser((db) => findUserById(db, userId), from, "user.signed_out"),
});

/** Notes when a person who is signed in gives a wrong password, code or passkey; throws what `check` throws. */
export async function notingRefusal<T>(
  from: Circumstances & { session: { userId: string } },
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const what = wrongProof(error);
    const find = (db: Db) => findUserById(db, from.session.userId);
    if (what) noteOfUser(find, from, "user.confirmation_refused", { with: what });
    throw error;
  }
}

/** Where a request came from, for the log of the operator. */
const placeOf = ({ requestId, ip }: Circumstances) => ({ request_id: requestId, network: networkOf(ip ?? "") });

/** For the operator: no workspace is concerned. */
function logStranger(email: string, from: Circumstances): void {
  log.warn({ ...placeOf(from), email_hash: hashForLog(email) }, "a sign-in was refused: no account has the address");
}

const cursors = cursorsOf(contract.listAudit.name, z.tuple([Timestamp, Id]));

function positionOf(ctx: Ctx, cursor: string): EntryPlace {
  const [at, id] = cursors.decode(ctx, cursor);
  return { at, id };
}

function entryOfRow(row: EntryRow): contract.AuditEntry {
  const colon = row.actor.indexOf(":");
  return {
    id: row.id,
    at: formatTime(row.at),
    actor: {
      type: row.actor.slice(0, colon) as contract.AuditEntry["actor"]["type"],
      id: row.actor.slice(colon + 1),
      name: row.actorName,
    },
    client: row.client,
    request_id: row.requestId,
    ip: row.ip,
    action: row.action,
    subject: row.subject,
    detail: { ...row.detail },
  };
}
