/** Why a mail to a log address was not kept. */
export const logRefusals = ["not_a_member", "not_authentic", "no_contact", "unreadable"] as const;
export type LogRefusalReason = (typeof logRefusals)[number];
