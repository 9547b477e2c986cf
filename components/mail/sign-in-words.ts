import type { MailProvider, SignInRefusal } from "#lib/domain/integrations/mailboxes/words.ts";

export const providerNames: Readonly<Record<MailProvider, string>> = { google: "Google", microsoft: "Microsoft" };

/** Why a sign-in connected no mailbox, and what to do. */
export const refusalWords: Readonly<Record<SignInRefusal, string>> = {
  over: "The sign-in took too long, or was ended already. Start it again.",
  denied: "You did not give permission, so nothing was connected.",
  other_account: "You signed in with another account than the one of this mailbox. Nothing was changed.",
  refused:
    "The mail server did not let us in. Perhaps IMAP is switched off for this mailbox: ask who manages your mail.",
  unreachable:
    "The provider could not be reached, or refuses this server. Try again; if it stays so, ask who runs Rapport.",
  no_permission: "The provider gave no lasting permission. Start again, and allow everything that it asks.",
  connected: "You have connected this mailbox already.",
};
