import { Fault } from "#lib/core/errors.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import type { OidcProvider } from "#lib/settings/oidc.ts";
import { mayVouch, oidcProvider } from "./oidc.ts";
import { keptUnder } from "./providers.ts";
import { deleteFactors } from "./queries/second-factors.ts";
import { markSessionsRevoked } from "./queries/sessions.ts";
import {
  adoptLogin,
  dropUnverifiedPassword,
  findUserByEmail,
  findUserByLogin,
  insertLogin,
  insertUser,
  isEmailVerified,
  markEmailVerified,
  type UserRow,
} from "./queries/users.ts";
import { requireOpenSignUps } from "./sign-ups.ts";
import { openInvitation } from "./workspace-ids.ts";

/** A person as verified by a provider. */
export type ProviderIdentity = {
  /** `google` or `github`, or the id of an OIDC provider. */
  provider: string;
  id: string;
  name: string | null;
  /** Null unless the provider has verified it. */
  email: string | null;
};

type Meaning = {
  /** A workspace takes in who has these groups. */
  isAwaited?: boolean;
  /** Ends keys of logins, clients and invitations of a user. */
  endAccess(userId: string): Promise<void>;
};

/**
 * The user behind a sign-in at a provider: the linked one, else the one with the same verified address, which is then
 * linked, else a new one when sign-ups are open, `invitation` is a valid link, or a workspace awaits them (`isAwaited`). Throws 403 `signups_closed`, 400
 * `invalid_email` (no verified address to know the person by), and 403 `email_not_allowed`: the provider may not speak for the address.
 */
export async function signInWithProvider(
  vouched: ProviderIdentity,
  invitation: string | null,
  { isAwaited = false, endAccess }: Meaning,
): Promise<UserRow> {
  const { provider, id } = vouched;
  const oidc = oidcProvider(provider);
  // A login of an OIDC provider belongs to its issuer.
  const kept = keptUnder(provider);
  // One with domains says at each sign-in that the person is of them.
  if (oidc?.domains) addressIn(vouched, oidc);
  const linked = await withoutWorkspace((db) => findUserByLogin(db, kept, id));
  if (linked) return linked;
  const email = addressIn(vouched, oidc);
  if (provider === EARLIER) {
    // The id alone proves nothing: the server may have another provider now, whose ids of people are its own.
    const adopted = await withoutWorkspace((db) => adoptLogin(db, { earlier: EARLIER, provider: kept, id, email }));
    if (adopted) return adopted;
  }
  const isWelcome = isAwaited || (invitation !== null && (await openInvitation(invitation)) !== null);
  const known = await withoutWorkspace(async (db) => {
    let user = await findUserByEmail(db, email);
    if (!user) {
      if (!isWelcome) await requireOpenSignUps(db);
      const created = { email, name: vouched.name, passwordHash: null, emailVerified: true };
      user = (await insertUser(db, created)) ?? (await findUserByEmail(db, email));
    }
    if (!user) throw new Error("an address is taken by no one");
    return user;
  });
  await proveEmail(known.id, endAccess);
  await withoutWorkspace((db) => insertLogin(db, known.id, kept, id));
  return known;
}

/** Releases before 0.2.0 had one OIDC provider, and kept its logins under this name; the issuer takes each over at the next sign-in with the same address. */
const EARLIER = "oidc";

function addressIn({ email }: ProviderIdentity, oidc: OidcProvider | null): string {
  const address = EmailAddress.safeParse(email ?? "");
  if (!address.success) throw new Fault("invalid_email");
  if (oidc && !mayVouch(oidc, address.data)) throw new Fault("email_not_allowed");
  return address.data;
}

/**
 * The address is now verified. A stranger could have signed up with this address and a password, by an open sign-up or
 * an invitation, which works under any address: that password, its second factors, its sessions and what they approved end here. The mark comes
 * last: killed before, the next sign-in does all of it again.
 */
async function proveEmail(userId: string, endAccess: Meaning["endAccess"]): Promise<void> {
  const isProven = await withoutWorkspace(async (db) => {
    if (await isEmailVerified(db, userId)) return true;
    if (await dropUnverifiedPassword(db, userId)) {
      await deleteFactors(db, userId);
      await markSessionsRevoked(db, userId, null);
    }
    return false;
  });
  if (isProven) return;
  await endAccess(userId);
  await withoutWorkspace((db) => markEmailVerified(db, userId));
}
