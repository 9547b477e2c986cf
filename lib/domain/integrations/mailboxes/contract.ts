import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { mailContacts, mailOutcomes, mailProviders } from "./words.ts";

const tag = "Mail";
const shared = { tag, surface: "public", scope: "write" } as const;
const PATH = "/v2/me/mailboxes";

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

/** What of a mailbox is read and shared. */
export const Terms = z.strictObject({
  share: share.default("metadata"),
  contacts: contacts.default("written_to"),
  days: z.int().min(0).max(3_650).default(90).describe("How far back it is read."),
  folders: folders.default([]),
  blocked: blocked.default([]),
  keep_bodies: keepsBodies.default(true),
});

const signIn = z.enum(mailProviders);

export const Mailbox = z
  .strictObject({
    id: Id,
    address: z.string(),
    server: Server,
    sign_in: signIn.nullable().describe("Whose sign-in opens it; null: a password."),
    share,
    contacts,
    since: Timestamp.describe("Older mail is not read."),
    folders: z.array(z.string()),
    blocked: z.array(z.string()),
    keep_bodies: z.boolean(),
    state: z.enum(["reading", "current", "failing", "disconnected", "removing"]),
    message: z.string().nullable().describe("What is wrong, and what to do."),
    kept: z.int().describe("Messages with contacts."),
    missing: z.int().describe("Messages at the server that are not here for no known reason, at the last count."),
    synced_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "Mailbox", description: "A mailbox that its member connected, which only they see." });
export type Mailbox = z.output<typeof Mailbox>;

export const Folder = z
  .strictObject({
    path: z.string(),
    role: z.string(),
    messages: z.int().nullable(),
    read: z.boolean().describe("It is read; before you choose: unless you choose others."),
    may_be_read: z.boolean().describe("false: drafts, spam, deleted mail, and what holds no messages."),
  })
  .meta({ id: "MailFolder", description: "A folder at a mail server." });

const address = z.email().max(320).toLowerCase().describe("The mailbox's address.");
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

const exampleMailbox: z.input<typeof Mailbox> = {
  id: "0190a6e0-0000-7000-8000-000000000081",
  address: "ada@example.com",
  server: { host: "imap.example.com", port: 993, secure: true },
  sign_in: null,
  share: "metadata",
  contacts: "written_to",
  since: "2026-03-05T09:00:00.000Z",
  folders: [],
  blocked: ["bank.example"],
  keep_bodies: true,
  state: "current",
  message: null,
  kept: 214,
  missing: 0,
  synced_at: "2026-06-03T09:00:00.000Z",
  created_at: "2026-06-03T08:00:00.000Z",
};
const exampleFolders: z.input<typeof Folder>[] = [
  { path: "INBOX", role: "inbox", messages: 1204, read: true, may_be_read: true },
  { path: "Drafts", role: "drafts", messages: 3, read: false, may_be_read: false },
];

export const testMailbox = defineOperation({
  ...shared,
  name: "testMailbox",
  summary: "Try a mailbox, and see its folders",
  description: "Nothing is stored.",
  http: { method: "POST", path: `${PATH}/test` },
  input: z.strictObject(login),
  output: z.strictObject({ server: Server, folders: z.array(Folder) }),
  errors: loginErrors,
  secrets: { input: ["password"] },
  example: { input: exampleLogin, output: { server: exampleMailbox.server, folders: exampleFolders } },
});

export const connectMailbox = defineOperation({
  ...shared,
  name: "connectMailbox",
  summary: "Connect a mailbox of yours",
  description: "Its mail with contacts is read from now on, and of the days before. Nothing is changed at the server.",
  http: { method: "POST", path: PATH, status: 201 },
  input: z.strictObject({ ...login, ...Terms.shape }),
  output: z.strictObject({ mailbox: Mailbox }),
  errors: [...loginErrors, "mailbox_connected"],
  asksPerson: () => true,
  secrets: { input: ["password"] },
  example: { input: exampleLogin, output: { mailbox: exampleMailbox } },
});

export const listMailboxes = defineOperation({
  ...shared,
  scope: "read",
  name: "listMailboxes",
  summary: "Your mailboxes",
  description: "No one else sees them.",
  http: { method: "GET", path: PATH },
  input: z.strictObject({}),
  output: z.strictObject({
    mailboxes: z.array(Mailbox),
    ceiling: share.describe("The most that members may share."),
    sign_in: z.array(signIn).describe("Whose sign-in this server offers in place of a password."),
  }),
  errors: ["member_required"],
  example: { input: {}, output: { mailboxes: [exampleMailbox], ceiling: "everything", sign_in: [] } },
});

const MailboxId = Id.describe("The mailbox's id.");
const ofMailbox = ofOne({
  id: MailboxId,
  output: z.strictObject({ mailbox: Mailbox }),
  missing: "mailbox_not_found",
  also: ["member_required"],
});
const example = { input: { id: exampleMailbox.id } };
const exampleOf = { ...example, output: { mailbox: exampleMailbox } };

export const updateMailbox = defineOperation({
  ...shared,
  name: "updateMailbox",
  summary: "Change what a mailbox shares and reads, or its password",
  description:
    "What is shared counts for the mail that is there, too. Other folders are read from now on, and what is there stays. Mail with those you block is removed. Fields not given stay.",
  http: { method: "PATCH", path: `${PATH}/:id` },
  input: z.strictObject({
    id: MailboxId,
    share: share.optional(),
    contacts: contacts.optional(),
    folders: folders.optional(),
    blocked: blocked.optional(),
    keep_bodies: keepsBodies.optional(),
    password: login.password.optional(),
    dry_run: z.boolean().default(false).describe("Change nothing; only say what would be removed."),
  }),
  output: z.strictObject({
    mailbox: Mailbox,
    removed: z.int().describe("Messages here with those you block now: they are removed."),
  }),
  errors: ["mailbox_not_found", "invalid_credentials", "provider_unavailable", "member_required"],
  codes: { fields: { id: "mailbox_not_found" } },
  asksPerson: () => true,
  secrets: { input: ["password"] },
  example: {
    input: { ...example.input, share: "subject" },
    output: { mailbox: { ...exampleMailbox, share: "subject" }, removed: 0 },
  },
});

export const listMailFolders = defineOperation({
  ...shared,
  ...ofOne({
    id: MailboxId,
    output: z.strictObject({ folders: z.array(Folder) }),
    missing: "mailbox_not_found",
    also: ["invalid_credentials", "provider_unavailable", "member_required"],
  }),
  scope: "read",
  name: "listMailFolders",
  summary: "The folders that a mailbox has at its server",
  description: "The server is asked now.",
  http: { method: "GET", path: `${PATH}/:id/folders` },
  example: { ...example, output: { folders: exampleFolders } },
});

export const findMailServer = defineOperation({
  tag,
  surface: "app",
  scope: "read",
  name: "findMailServer",
  summary: "Where the mailbox of an address is, and who signs in to it",
  http: { method: "GET", path: "/mail-server" },
  input: z.strictObject({ address: z.string().trim().max(320) }),
  output: z.strictObject({ server: Server.nullable(), sign_in: signIn.nullable() }),
  errors: ["member_required"],
  example: { input: { address: "ada@example.com" } },
});

export const startMailSignIn = defineOperation({
  tag,
  surface: "user",
  scope: "write",
  name: "startMailSignIn",
  summary: "Connect a mailbox by signing in with its provider",
  description: "Send the browser to `redirect_to`. It comes back to the page of integrations.",
  http: { method: "POST", path: "/api/account/mail-sign-ins" },
  input: z.strictObject({
    workspace_id: Id,
    provider: signIn,
    address: login.address.optional().describe("Fills in the provider's page."),
    mailbox_id: Id.optional().describe("Sign in again to this mailbox of yours."),
    ...Terms.shape,
  }),
  output: z.strictObject({ redirect_to: z.url() }),
  errors: ["workspace_not_found", "mailbox_not_found", "insufficient_scope", "role_required", "rate_limited"],
  codes: { fields: { workspace_id: "workspace_not_found", mailbox_id: "mailbox_not_found" } },
  example: { input: { workspace_id: "0190a6e0-0000-7000-8000-000000000001", provider: "google" } },
});

export const syncMailbox = defineOperation({
  ...shared,
  ...ofMailbox,
  name: "syncMailbox",
  summary: "Look for new mail now",
  description: "It is read in a moment; otherwise every five minutes, or when the server says that something came.",
  http: { method: "POST", path: `${PATH}/:id/sync` },
  example: exampleOf,
});

export const disconnectMailbox = defineOperation({
  ...shared,
  name: "disconnectMailbox",
  summary: "Disconnect a mailbox",
  description: "Its password is deleted at once. Its messages stay as they are, or are removed with their activities.",
  http: { method: "POST", path: `${PATH}/:id/disconnect` },
  input: z.strictObject({ id: MailboxId, messages: z.enum(["keep", "remove"]).describe("Whether they stay.") }),
  output: ofMailbox.output,
  errors: ofMailbox.errors,
  codes: ofMailbox.codes,
  asksPerson: () => true,
  example: {
    input: { ...example.input, messages: "keep" },
    output: { mailbox: { ...exampleMailbox, state: "disconnected" } },
  },
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
  description: "Folder by folder; compared once a day, message by message.",
  http: { method: "GET", path: `${PATH}/:id/report` },
  example: {
    ...example,
    output: {
      folders: [
        {
          path: "INBOX",
          ...{ at_server: 1204, read: 1204, missing: 0, outcomes: { kept: 214, no_contact: 990 } },
          counted_at: "2026-06-03T09:00:00.000Z",
        },
      ],
      unreadable: [],
    },
  },
});
