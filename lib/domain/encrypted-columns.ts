import { purposeOfFactor } from "#lib/auth/second-factor.ts";
import type { EncryptedColumn } from "#lib/db/rotate-encryption.ts";

/** A kept answer is sealed for its Idempotency-Key. */
export const purposeOfAnswer = (key: string): string => `idempotency:${key}`;

/** Credentials and signing secret of a connection are sealed for its id. */
export const purposeOfCredentials = (connectionId: string): string => `connection:${connectionId}:credentials`;
export const purposeOfSigningSecret = (connectionId: string): string => `connection:${connectionId}:signing_secret`;

/** The secret of a trigger, and the one before its rotation, are sealed for the trigger's id. */
export const purposeOfTriggerSecret = (triggerId: string): string => `trigger:${triggerId}:secret`;

/** The input of a change that waits for approval is sealed for its id. */
export const purposeOfInput = (approvalId: string): string => `approval:${approvalId}:input`;

/** The content of a message is sealed for its id, and the password of a mailbox for the mailbox's. */
export const purposeOfMessage = (messageId: string): string => `message:${messageId}:content`;
export const purposeOfMailbox = (mailboxId: string): string => `mailbox:${mailboxId}:credentials`;

/** The content of a meeting is sealed for the copy that a calendar has, and the password or address of a calendar for the calendar's. */
export const purposeOfMeeting = (copyId: string): string => `meeting:${copyId}:content`;
export const purposeOfCalendar = (calendarId: string): string => `calendar:${calendarId}:credentials`;

/** The token of a log address is sealed for its mailbox. */
export const purposeOfLogToken = (mailboxId: string): string => `log_address:${mailboxId}:token`;

/** The PKCE verifier of a sign-in to a mailbox is sealed for its id. */
export const purposeOfMailSignIn = (signInId: string): string => `mail_sign_in:${signInId}:verifier`;

/** Every encrypted column there is; `rapport admin rotate-encryption` walks this table. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: "idempotency", column: "body", where: "encrypted", of: "key", purpose: purposeOfAnswer },
  { table: "approvals", column: "input", where: "encrypted", of: "id::text", purpose: purposeOfInput },
  { table: "calendars", column: "credentials", where: "credentials <> ''", of: "id::text", purpose: purposeOfCalendar },
  { table: "connections", column: "credentials", where: "true", of: "id::text", purpose: purposeOfCredentials },
  {
    table: "connections",
    column: "signing_secret",
    where: "signing_secret IS NOT NULL",
    of: "id::text",
    purpose: purposeOfSigningSecret,
  },
  {
    table: "log_addresses",
    key: "mailbox_id",
    column: "token",
    where: "true",
    of: "mailbox_id::text",
    purpose: purposeOfLogToken,
  },
  { table: "mailboxes", column: "credentials", where: "credentials <> ''", of: "id::text", purpose: purposeOfMailbox },
  { table: "meeting_copies", column: "content", where: "true", of: "id::text", purpose: purposeOfMeeting },
  { table: "mail_sign_ins", column: "verifier", where: "true", of: "id::text", purpose: purposeOfMailSignIn },
  { table: "messages", column: "content", where: "content IS NOT NULL", of: "id::text", purpose: purposeOfMessage },
  {
    table: "second_factors",
    ofPeople: true,
    column: "secret",
    where: "true",
    of: "id::text",
    purpose: purposeOfFactor,
  },
  { table: "triggers", column: "secret", where: "true", of: "id::text", purpose: purposeOfTriggerSecret },
  {
    table: "triggers",
    column: "old_secret",
    where: "old_secret IS NOT NULL",
    of: "id::text",
    purpose: purposeOfTriggerSecret,
  },
];
