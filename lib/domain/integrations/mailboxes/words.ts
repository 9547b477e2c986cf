/** What was done with a message at the server. */
export const mailOutcomes = ["kept", "no_contact", "internal", "group", "blocked", "unreadable"] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

/** Whom mail adds as a contact. */
export const mailContacts = ["written_to", "known"] as const;
export type MailContacts = (typeof mailContacts)[number];
