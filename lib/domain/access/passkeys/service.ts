import { checkNewPasskey, creationOptions, requestOptions } from "#lib/auth/passkeys.ts";
import {
  countPasskeys,
  deletePasskey,
  findPasskeys,
  insertPasskey,
  updatePasskeyName,
} from "#lib/auth/queries/passkeys.ts";
import { replaceRecoveryCodes } from "#lib/auth/queries/second-factors.ts";
import { markProven, markSessionsRevoked } from "#lib/auth/queries/sessions.ts";
import { findUserById, lockUser } from "#lib/auth/queries/users.ts";
import { isGuarded, newRecoveryCodes, removeFactor, requireGivenFactor } from "#lib/auth/second-factor.ts";
import { Fault } from "#lib/core/errors.ts";
import type { Db } from "#lib/db/handle.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { implementUser } from "#lib/domain/implement-user.ts";
import { noteOfUser } from "#lib/domain/records/audit/service.ts";
import * as contract from "./contract.ts";
import { passkeyOfRow } from "./serialize.ts";

const MOST_PASSKEYS = 20;

/** The person's passkeys, oldest first. */
export const passkeysOf = async (db: Db, userId: string): Promise<contract.Passkey[]> =>
  (await findPasskeys(db, userId)).map(passkeyOfRow);

export const beginPasskey = implementUser(contract.beginPasskey, "signed-in", async ({ session, origin }) => {
  await requireGivenFactor(session);
  return { options: await creationOptions(session, session.id, origin) };
});

export const beginPasskeyUse = implementUser(
  contract.beginPasskeyUse,
  "anyone",
  async ({ session, origin }, { signs_in }) => ({
    options: requestOptions(signs_in ? null : (session?.id ?? null), origin),
  }),
);

export const addPasskey = implementUser(contract.addPasskey, "signed-in", async (ctx, { name, passkey }) => {
  const { id: sessionId, userId } = ctx.session;
  await requireGivenFactor(ctx.session);
  const made = await checkNewPasskey(passkey, sessionId, ctx.origin);
  if (!made) throw new Fault("wrong_passkey", { parameter: "passkey" });
  const recovery = await newRecoveryCodes(userId);
  const added = await withoutWorkspace(async (db) => {
    await lockUser(db, userId);
    if ((await countPasskeys(db, userId)) >= MOST_PASSKEYS) throw new Fault("too_many_passkeys");
    const isFirst = !(await isGuarded(db, userId));
    const row = await insertPasskey(db, { userId, name, ...made });
    if (!row) throw new Fault("passkey_exists");
    await markProven(db, userId, sessionId, true);
    if (isFirst) await replaceRecoveryCodes(db, userId, recovery.hashes);
    return {
      passkey: passkeyOfRow(row),
      recovery_codes: isFirst ? recovery.codes : null,
      ended_sessions: isFirst ? await markSessionsRevoked(db, userId, sessionId) : 0,
    };
  });
  noteOfUser((db) => findUserById(db, userId), ctx, "user.passkey_added", { name });
  return added;
});

export const renamePasskey = implementUser(contract.renamePasskey, "signed-in", async (ctx, { id, name }) => {
  const { userId } = ctx.session;
  const renamed = await withoutWorkspace((db) => updatePasskeyName(db, userId, id, name));
  if (!renamed) throw new Fault("passkey_not_found");
  const { from, row } = renamed;
  if (from !== name) noteOfUser((db) => findUserById(db, userId), ctx, "user.passkey_renamed", { from, name });
  return { passkey: passkeyOfRow(row) };
});

export const removePasskey = implementUser(contract.removePasskey, "signed-in", async (ctx, { id }) => {
  const { session } = ctx;
  await requireGivenFactor(session);
  const name = await removeFactor(session, (db) => deletePasskey(db, session.userId, id));
  if (name === null) throw new Fault("passkey_not_found");
  noteOfUser((db) => findUserById(db, session.userId), ctx, "user.passkey_removed", { name });
  return { ok: true as const };
});
