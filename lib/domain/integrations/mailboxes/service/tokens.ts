import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { MailFault, type MailLogin } from "#lib/providers/imap/client.ts";
import { refreshTokens, SignInOver } from "#lib/providers/mail-sign-in/client.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { type MailboxRow, replaceLogin } from "../queries.ts";
import { type Grant, type KeptLogin, sealLogin } from "./login.ts";

/** An access token is not used for its last minutes: a mailbox is read for some. */
const EARLY_MS = 5 * 60_000;

type Token = { accessToken: string; endsAt: number; refreshToken: string };
/** The login as it is kept now, with a token for it. `isNew`: it was just given. */
type Access = { accessToken: string; credentials: string; isNew: boolean };

/** Access tokens by mailbox, and those that are being asked for, by mailbox and refresh token. They are never stored. */
const state = singleton("mail-tokens", () => ({
  tokens: new Map<string, Token>(),
  asking: new Map<string, Promise<Access>>(),
}));

type Mailbox = Pick<MailboxRow, "id" | "credentials"> & { workspaceId: WorkspaceId };

/** An access token of a mailbox. All who need one at once wait for the same. Throws `MailFault`. */
export async function accessOf(mailbox: Mailbox, grant: Grant): Promise<Access> {
  const { id, credentials } = mailbox;
  const token = state.tokens.get(id);
  if (token?.refreshToken === grant.refreshToken && token.endsAt - Date.now() > EARLY_MS)
    return { accessToken: token.accessToken, credentials, isNew: false };
  const name = `${id} ${grant.refreshToken}`;
  const asked = state.asking.get(name) ?? refresh(mailbox, grant).finally(() => state.asking.delete(name));
  state.asking.set(name, asked);
  return asked;
}

/** What signs in to a mailbox now. Throws `MailFault`. */
export async function loginFor(
  { workspaceId }: Pick<Mailbox, "workspaceId">,
  row: MailboxRow,
  kept: KeptLogin,
): Promise<MailLogin> {
  if ("password" in kept) return kept;
  const { accessToken } = await accessOf({ workspaceId, id: row.id, credentials: row.credentials }, kept);
  return { user: kept.user, accessToken };
}

/** A token that the mail server refuses. */
export function forgetAccess(id: string): void {
  state.tokens.delete(id);
}

async function refresh({ workspaceId, id, credentials }: Mailbox, grant: Grant): Promise<Access> {
  const {
    accessToken,
    endsAt,
    refreshToken: next,
  } = await refreshTokens(grant.provider, grant.refreshToken).catch((error: unknown) => {
    throw faultOf(error);
  });
  const refreshToken = next ?? grant.refreshToken;
  state.tokens.set(id, { accessToken, endsAt, refreshToken });
  if (refreshToken === grant.refreshToken) return { accessToken, credentials, isNew: true };
  // Microsoft gives another one each time. What another process got meanwhile works as well.
  const sealed = sealLogin(id, { ...grant, refreshToken });
  await withWorkspace(workspaceId, (db) => replaceLogin(db, { id, credentials }, sealed));
  return { accessToken, credentials: sealed, isNew: true };
}

function faultOf(error: unknown): unknown {
  if (error instanceof SignInOver) return new MailFault("sign_in_over");
  if (!(error instanceof ProviderFault)) return error;
  const { message, retryAfterMs } = error;
  return new MailFault("sign_in_failed", { message, ...(retryAfterMs === null ? {} : { retryAfterMs }) });
}
