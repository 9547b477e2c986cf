/** What was done with a message at the server. */
export const mailOutcomes = ["kept", "no_contact", "internal", "group", "blocked", "unreadable"] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

/** Whom mail adds as a contact. */
export const mailContacts = ["written_to", "known"] as const;
export type MailContacts = (typeof mailContacts)[number];

/** Providers that sign people in to their mailboxes, where the operator has set a client. */
export const mailProviders = ["google", "microsoft"] as const;
export type MailProvider = (typeof mailProviders)[number];

/** Why a browser came back from a sign-in to a mailbox without one. */
const signInRefusals = [
  ...(["over", "denied", "other_account", "refused", "unreachable", "no_permission", "connected"] as const),
] as const;
export type SignInRefusal = (typeof signInRefusals)[number];
