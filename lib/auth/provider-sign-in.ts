import { Fault } from "#lib/core/errors.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import type { Db } from "#lib/db/handle.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { deleteFactors } from "./queries/second-factors.ts";
import { markSessionsRevoked } from "./queries/sessions.ts";
import {
  dropUnverifiedPassword,
  findUserByEmail,
  findUserByLogin,
  insertLogin,
  insertUser,
  markEmailVerified,
  type UserRow,
} from "./queries/users.ts";
import { requireOpenSignUps } from "./sign-ups.ts";
import { openInvitation } from "./workspace-ids.ts";

/** A person as verified by a provider. `email` is null unless the provider has verified it. */
export type ProviderIdentity = { provider: string; id: string; name: string | null; email: string | null };

/**
 * The user behind a sign-in at a provider: the linked one, else the one with the same verified address, which is then
 * linked, else a new one when sign-ups are open or `invitation` is a valid link. Throws 403 `signups_closed` and 400
 * `invalid_email` (no verified address to know the person by).
 */
export async function signInWithProvider(vouched: ProviderIdentity, invitation: string | null): Promise<UserRow> {
  const { provider, id } = vouched;
  const linked = await withoutWorkspace((db) => findUserByLogin(db, provider, id));
  if (linked) return linked;
  const email = EmailAddress.safeParse(vouched.email ?? "");
  if (!email.success) throw new Fault("invalid_email");
  const isInvited = invitation !== null && (await openInvitation(invitation)) !== null;
  return withoutWorkspace(async (db) => {
    let user = await findUserByEmail(db, email.data);
    if (!user) {
      if (!isInvited) await requireOpenSignUps(db);
      const created = { email: email.data, name: vouched.name, passwordHash: null, emailVerified: true };
      user = (await insertUser(db, created)) ?? (await findUserByEmail(db, email.data));
    }
    if (!user) throw new Error("an address is taken by no one");
    await proveEmail(db, user.id);
    await insertLogin(db, user.id, provider, id);
    return user;
  });
}

/**
 * The address is now verified. A stranger could have signed up with this address and a password, by an open sign-up or
 * an invitation, which works under any address: that password, its second factors and its sessions end here.
 */
async function proveEmail(db: Db, userId: string): Promise<void> {
  if (await dropUnverifiedPassword(db, userId)) {
    await deleteFactors(db, userId);
    await markSessionsRevoked(db, userId, null);
  }
  await markEmailVerified(db, userId);
}
