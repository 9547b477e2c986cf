import { Fault } from "#lib/core/errors.ts";
import { sealJson, unsealJson } from "#lib/db/sealed.ts";
import { purposeOfMailbox } from "#lib/domain/encrypted-columns.ts";
import {
  type Folder,
  type MailClient,
  MailFault,
  type MailLogin,
  type MailServer,
  openMailClient,
} from "#lib/providers/imap/client.ts";
import { findMailServer } from "#lib/providers/imap/discover.ts";
import type { MailProvider } from "#lib/providers/mail-sign-in/client.ts";

/** What a provider gave for a sign-in; it works until the person takes it back. */
export type Grant = { user: string; provider: MailProvider; refreshToken: string };

/** What is sealed with a mailbox: a password, or what its provider gave for the sign-in. */
export type KeptLogin = { user: string; password: string } | Grant;

export const sealLogin = (id: string, login: KeptLogin): string => sealJson(purposeOfMailbox(id), login);

/** Null when its key is gone. */
export const loginOf = ({ id, credentials }: { id: string; credentials: string }): KeptLogin | null =>
  unsealJson<KeptLogin>(purposeOfMailbox(id), credentials);

export type OpenMailbox = { server: MailServer; login: { user: string; password: string }; folders: Folder[] };

type Asking = {
  address: string;
  user?: string | undefined;
  password: string;
  server?: MailServer | undefined;
};

/**
 * Signs in to a mailbox and reads its folders. Throws 400 `mail_server_required` and `invalid_credentials`, 502 `provider_unavailable`.
 */
export async function askMailbox({ address, user = address, password, server: given }: Asking): Promise<OpenMailbox> {
  const server = given ?? (await findMailServer(address));
  if (!server) throw new Fault("mail_server_required", { parameter: "server" });
  const login = { user, password };
  return { server, login, folders: await askFolders(server, login) };
}

/** The folders of a mailbox, with how many messages they have. Throws as `askMailbox` does. */
export async function askFolders(server: MailServer, login: MailLogin): Promise<Folder[]> {
  return withClient(server, login, (client) => client.folders({ counted: true })).catch((error: unknown) => {
    throw error instanceof MailFault ? faultOf(server, error) : error;
  });
}

/** Works with an open mailbox, and closes it. */
export async function withClient<T>(
  server: MailServer,
  login: MailLogin,
  work: (client: MailClient) => Promise<T>,
): Promise<T> {
  const client = await openMailClient(server, login);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export function faultOf(server: MailServer, fault: MailFault): Fault {
  const reason = fault.reason;
  if (reason === "refused_login" || reason === "sign_in_over")
    return new Fault("invalid_credentials", { reason }, adviceOf(server, fault));
  if (reason === "private_address")
    return new Fault("invalid_parameter", { parameter: "server", reason }, adviceOf(server, fault));
  return new Fault("provider_unavailable", { reason }, adviceOf(server, fault));
}

/** What is wrong with a mailbox and what its member can do, in words. */
export function adviceOf({ host }: Pick<MailServer, "host">, { reason, message }: MailFault, bySignIn = false): string {
  switch (reason) {
    case "sign_in_over":
      return "Your permission to read this mailbox has ended. Sign in again.";
    case "sign_in_failed":
      return `${message} Nothing is lost; it is tried again.`;
    case "refused_login":
      if (bySignIn)
        return `${host} does not let us in. Perhaps IMAP is switched off for this mailbox. Sign in again once that is settled.`;
      return `${host} does not accept the user name or password. Google, Microsoft, Apple and others want an app password here.`;
    case "private_address":
      return `${host} has an address inside this network. Enter the public name of the mail server.`;
    case "not_imap":
      return `${host} does not speak IMAP on this port. IMAP is usually on port 993.`;
    case "tls":
      return `${host} has no secure connection that can be trusted: its certificate is wrong, or it offers no STARTTLS.`;
    case "throttled":
      return `${host} asked us to wait. Nothing is lost; reading continues later.`;
    default:
      return `${host} could not be reached. Nothing is lost; it is tried again.`;
  }
}
