import { timingSafeEqual } from "node:crypto";
import { mintLinkToken, sha256 } from "#lib/auth/secret-tokens.ts";
import { callerFor, type Session } from "#lib/auth/sessions.ts";
import { countAttempt, type Throttle } from "#lib/auth/throttle.ts";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { isUuid, newId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { scopeFault } from "#lib/core/plans.ts";
import { seal, unseal } from "#lib/db/sealed.ts";
import { isUniqueViolation, withWorkspace } from "#lib/db/transaction.ts";
import { purposeOfMailSignIn } from "#lib/domain/encrypted-columns.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { implementUser } from "#lib/domain/implement-user.ts";
import { tellChanged } from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { MailFault } from "#lib/providers/imap/client.ts";
import {
  authorizationAddress,
  described,
  exchangeCode,
  SignInOver,
  signInProviders,
  type Tokens,
} from "#lib/providers/mail-sign-in/client.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { DAY_MS } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  changeMailbox,
  findMailbox,
  insertMailbox,
  insertSignIn,
  removeOldSignIns,
  type SignInRow,
  takeSignIn,
} from "../queries.ts";
import type { SignInRefusal } from "../words.ts";
import { syncing } from "./kind.ts";
import { sealLogin, withClient } from "./login.ts";

/** As long as a person may take at the provider. */
const MINUTES = 15;
const PATH = "/oauth/mail";

/** Each one writes a row. */
const starts: Throttle = { name: "mail-sign-in", attempts: 60, seconds: 600, waits: [30, 60, 300] };

/** A state names its workspace and row; only the row's session can use it, and once. */
const stateOf = (workspaceId: string, id: string, token: string): string => [workspaceId, id, token].join(".");

export const startMailSignIn = implementUser(contract.startMailSignIn, "signed-in", async (visitor, input) => {
  const { session, requestId, ip, origin } = visitor;
  const { workspace_id, provider, address = null, mailbox_id: mailboxId = null, ...terms } = input;
  await countAttempt(starts, session.userId);
  const caller = memberIn(session, workspace_id, requestId, ip);
  if (!caller) throw new Fault("workspace_not_found");
  if (!signInProviders().includes(provider))
    throw new Fault("invalid_parameter", { parameter: "provider" }, "This server has no client for this provider.");
  const [id, { token, hash: stateHash }, { token: verifier }] = [newId(), mintLinkToken(), mintVerifier()];
  const known = await withWorkspace(caller.workspaceId, async (db) => {
    const mailbox = mailboxId === null ? null : await findMailbox(db, mailboxId);
    if (mailboxId !== null && (mailbox?.userId !== session.userId || mailbox.state === "leaving"))
      throw new Fault("mailbox_not_found");
    await insertSignIn(db, {
      ...{ id, userId: session.userId, sessionId: session.id, provider, stateHash, mailboxId },
      ...{ address: mailbox?.address ?? address, terms },
      verifier: seal(purposeOfMailSignIn(id), verifier),
      expiresAt: new Date(Date.now() + MINUTES * 60_000),
    });
    return mailbox?.address ?? address;
  });
  const state = stateOf(caller.workspaceId, id, token);
  return {
    redirect_to: authorizationAddress(provider, { redirectUri: origin + PATH, state, verifier, address: known }),
  };
});

/** 43 to 128 characters (RFC 7636): two tokens of 190 bits. */
const mintVerifier = () => ({ token: mintLinkToken().token + mintLinkToken().token });

/** The person as a member who may connect mailboxes; null in a workspace that is not theirs. Throws 403. */
function memberIn(session: Session, workspaceId: string, requestId: string, ip: string): Caller | null {
  const caller = callerFor(session, workspaceId, requestId, { ip });
  if (caller && !caller.scopes.includes("write")) throw scopeFault(caller.scopes, "write", caller.role);
  return caller;
}

/** How a browser came back from the provider. */
type Back = { state: string; code: string | null; error: string | null };
type Visit = { session: Session; requestId: string; ip: string; origin: string };

class Refused extends Error {
  readonly why: SignInRefusal;
  constructor(why: SignInRefusal) {
    super(why);
    this.why = why;
  }
}

/** Ends a sign-in: connects the mailbox, or signs in to it again. Null: it was begun in no workspace of this person. */
export async function finishMailSignIn(
  back: Back,
  visit: Visit,
): Promise<{ workspaceId: string; refused: SignInRefusal | null } | null> {
  const [workspaceId = "", id = "", token = ""] = back.state.split(".");
  if (!isUuid(workspaceId) || !isUuid(id)) return null;
  const caller = memberIn(visit.session, workspaceId, visit.requestId, visit.ip);
  if (!caller) return null;
  try {
    const signIn = await withWorkspace(caller.workspaceId, (db) => takeSignIn(db, id, visit.session.id));
    if (!signIn || !isSame(signIn.stateHash, sha256(token)) || +signIn.expiresAt < Date.now())
      throw new Refused("over");
    if (back.code === null) throw new Refused("denied");
    await connect(caller, signIn, await tokensOf(signIn, back.code, visit.origin));
    return { workspaceId, refused: null };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { workspaceId, refused: error.why };
  }
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const tokensOf = ({ id, provider, verifier }: SignInRow, code: string, origin: string): Promise<Tokens> =>
  exchangeCode(provider, {
    code,
    verifier: unseal(purposeOfMailSignIn(id), verifier),
    redirectUri: origin + PATH,
  }).catch((error: unknown) => {
    if (error instanceof SignInOver) throw new Refused("over");
    if (!(error instanceof ProviderFault)) throw error;
    // No one but the operator can do anything about a client that the provider refuses.
    log.warn({ reason: error.message, provider }, "a sign-in to a mailbox failed at the provider");
    throw new Refused("unreachable");
  });

/** Signs in to the mailbox once, and keeps what opens it. */
async function connect(caller: Caller, signIn: SignInRow, tokens: Tokens): Promise<void> {
  const { provider, mailboxId, userId } = signIn;
  const address = tokens.address ?? signIn.address;
  // Without it the mailbox could be read for an hour.
  if (tokens.refreshToken === null || address === null) throw new Refused("no_permission");
  if (mailboxId !== null && address !== signIn.address) throw new Refused("other_account");
  const { server } = described[provider];
  const { accessToken, refreshToken } = tokens;
  await withClient(server, { user: address, accessToken }, async (client) => client.folders()).catch(
    (error: unknown) => {
      if (!(error instanceof MailFault)) throw error;
      throw new Refused(error.reason === "refused_login" ? "refused" : "unreachable");
    },
  );
  const id = mailboxId ?? newId();
  const login = {
    ...{ host: server.host, port: server.port, secure: server.secure, login: address, provider },
    credentials: sealLogin(id, { user: address, provider, refreshToken }),
  };
  await withWorkspace(caller.workspaceId, async (db) => {
    const ctx: Ctx = { ...caller, db };
    if (mailboxId === null) {
      const { share, contacts, days, folders, blocked, keep_bodies: keepsBodies } = contract.Terms.parse(signIn.terms);
      const since = new Date(Date.now() - days * DAY_MS);
      await insertMailbox(db, {
        ...{ id, userId, address, ...login, share, contacts, since, folders, blocked, keepsBodies },
      });
      await recordAudit(ctx, "mailbox.connected", id, { address, share });
    } else {
      const mailbox = await findMailbox(db, id);
      if (mailbox?.userId !== userId || mailbox.state === "leaving") throw new Refused("over");
      await changeMailbox(db, id, { ...login, isVerified: true, message: null, state: "connected" });
    }
    await enqueue(db, syncing, { mailbox_id: id });
    tellChanged(ctx);
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Refused("connected") : error;
  });
}

/** Removes sign-ins that no one came back from. */
export const tidySignIns: Maintenance = {
  name: "mail sign-ins",
  async step(workspaceId) {
    await withWorkspace(workspaceId, removeOldSignIns);
    return false;
  },
};
