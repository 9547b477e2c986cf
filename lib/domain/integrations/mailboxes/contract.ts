import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { mailContacts, mailOutcomes } from "./words.ts";

const shared = { tag: "Mail", surface: "app", scope: "write" } as const;

/** A name of the DNS with its domain. */
const NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i;

const Server = z.strictObject({
  host: z.union(
    [z.string().trim().regex(NAME), z.ipv4(), z.ipv6()],
    "must be the full name or the address of a server",
  ),
  port: z.int().min(1).max(65_535).default(993),
  secure: z.boolean().default(true).describe("TLS from the first byte; else STARTTLS, which the server must offer."),
});

const share = z
  .enum(shareLevels)
  .describe("What the others see of this mail: `nothing`, `metadata` (who and when), `subject` or `everything`.");
const contacts = z.enum(mailContacts).describe("Who becomes a contact: people you write to, or no new people.");
const folders = z
  .array(z.string().min(1).max(1_000))
  .max(200)
  .describe("Paths to read; none: inbox, sent and archive.");
const blocked = z
  .array(z.string().trim().toLowerCase().min(3).max(320))
  .max(1_000)
  .describe("Addresses and domains whose mail is never stored.");
const keepsBodies = z.boolean().describe("Keep what messages say, encrypted; else only their subjects.");

export const Mailbox = z.strictObject({
  id: Id,
  address: z.string(),
  server: Server,
  share,
  contacts,
  since: Timestamp.describe("Older mail is not read."),
  folders: z.array(z.string()),
  blocked: z.array(z.string()),
  keep_bodies: z.boolean(),
  state: z.enum(["reading", "current", "failing", "disconnected", "removing"]),
  message: z.string().nullable().describe("What is wrong, and what to do."),
  kept: z.int().describe("Messages with contacts."),
  synced_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type Mailbox = z.output<typeof Mailbox>;

const Folder = z.strictObject({
  path: z.string(),
  role: z.string(),
  messages: z.int().nullable(),
  read: z.boolean().describe("It is read unless you choose others."),
});

const address = z.email().max(320).toLowerCase();
const login = {
  address,
  user: z.string().trim().min(1).max(320).optional().describe("The user name, where it is not the address."),
  password: z.string().min(1).max(1_000).describe("An app password, where the provider asks for one."),
  server: Server.optional().describe("Found by the address where it is not given."),
};
const loginErrors = ["mail_server_required", "invalid_credentials", "provider_unavailable", "member_required"] as const;
const exampleLogin = {
  address: "ada@example.com",
  password: "abcd efgh ijkl mnop",
  server: { host: "imap.example.com" },
};

export const testMailbox = defineOperation({
  ...shared,
  name: "testMailbox",
  summary: "Try a mailbox, and see its folders",
  description: "Nothing is stored.",
  http: { method: "POST", path: "/mailboxes/test" },
  input: z.strictObject(login),
  output: z.strictObject({ server: Server, folders: z.array(Folder) }),
  errors: loginErrors,
  secrets: { input: ["password"] },
  example: { input: exampleLogin },
});

export const connectMailbox = defineOperation({
  ...shared,
  name: "connectMailbox",
  summary: "Connect a mailbox of yours",
  description: "Its mail with contacts is read from now on, and of the days before. Nothing is changed at the server.",
  http: { method: "POST", path: "/mailboxes", status: 201 },
  input: z.strictObject({
    ...login,
    share: share.default("metadata"),
    contacts: contacts.default("written_to"),
    days: z.int().min(0).max(3_650).default(90).describe("How far back it is read."),
    folders: folders.default([]),
    blocked: blocked.default([]),
    keep_bodies: keepsBodies.default(true),
  }),
  output: z.strictObject({ mailbox: Mailbox }),
  errors: [...loginErrors, "mailbox_connected"],
  secrets: { input: ["password"] },
  example: { input: exampleLogin },
});

export const listMailboxes = defineOperation({
  ...shared,
  scope: "read",
  name: "listMailboxes",
  summary: "Your mailboxes",
  http: { method: "GET", path: "/mailboxes" },
  input: z.strictObject({}),
  output: z.strictObject({ mailboxes: z.array(Mailbox), ceiling: share.describe("The most that members may share.") }),
  errors: ["member_required"],
  example: { input: {} },
});

const MailboxId = Id.describe("The mailbox's id.");
const ofMailbox = ofOne({
  id: MailboxId,
  output: z.strictObject({ mailbox: Mailbox }),
  missing: "mailbox_not_found",
  also: ["member_required"],
});
const example = { input: { id: "0190a6e0-0000-7000-8000-000000000081" } };

export const updateMailbox = defineOperation({
  ...shared,
  name: "updateMailbox",
  summary: "Change what a mailbox shares and reads, or its password",
  description: "What is shared counts for the mail that is there, too. Fields not given stay.",
  http: { method: "PATCH", path: "/mailboxes/:id" },
  input: z.strictObject({
    id: MailboxId,
    share: share.optional(),
    contacts: contacts.optional(),
    folders: folders.optional(),
    blocked: blocked.optional(),
    keep_bodies: keepsBodies.optional(),
    password: login.password.optional(),
  }),
  output: ofMailbox.output,
  errors: ["mailbox_not_found", "invalid_credentials", "provider_unavailable", "member_required"],
  codes: { fields: { id: "mailbox_not_found" } },
  secrets: { input: ["password"] },
  example: { input: { ...example.input, share: "subject" } },
});

export const syncMailbox = defineOperation({
  ...shared,
  ...ofMailbox,
  name: "syncMailbox",
  summary: "Look for new mail now",
  http: { method: "POST", path: "/mailboxes/:id/sync" },
  example,
});

export const disconnectMailbox = defineOperation({
  ...shared,
  name: "disconnectMailbox",
  summary: "Disconnect a mailbox",
  description: "Its password is deleted at once. Its messages stay as they are, or are removed with their activities.",
  http: { method: "POST", path: "/mailboxes/:id/disconnect" },
  input: z.strictObject({ id: MailboxId, messages: z.enum(["keep", "remove"]) }),
  output: ofMailbox.output,
  errors: ofMailbox.errors,
  codes: ofMailbox.codes,
  example: { input: { ...example.input, messages: "keep" } },
});

export const MailReport = z.strictObject({
  folders: z.array(
    z.strictObject({
      path: z.string(),
      at_server: z.int().nullable().describe("Messages of the days that are read, at the last count."),
      read: z.int(),
      missing: z.int().nullable().describe("At the server and not read; 0 when all is well."),
      outcomes: z.partialRecord(z.enum(mailOutcomes), z.int()).describe("How many, by what was done with them."),
      counted_at: Timestamp.nullable(),
    }),
  ),
  unreadable: z
    .array(z.strictObject({ path: z.string(), uid: z.int() }))
    .describe("Messages that could not be read, at most 100."),
});

export const getMailReport = defineOperation({
  ...shared,
  ...ofOne({ id: MailboxId, output: MailReport, missing: "mailbox_not_found", also: ["member_required"] }),
  scope: "read",
  name: "getMailReport",
  summary: "What a mailbox has at the server, what is here, and why they differ",
  http: { method: "GET", path: "/mailboxes/:id/report" },
  example,
});
