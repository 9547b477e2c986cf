import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";
import { messageTypes, shareLevels } from "./words.ts";

const tag = "Mail";
const shared = { tag, surface: "public" } as const;

export const Share = z
  .enum(shareLevels)
  .describe("What others see: `nothing`, `metadata` (who and when), `subject`, or `everything`.");

const Party = z.strictObject({ address: z.string(), name: z.string().nullable() });

export const Message = z
  .strictObject({
    id: Id,
    thread_id: Id,
    type: z.enum(messageTypes).nullable().describe("null: an automatic reply or a message to a group."),
    sent_at: Timestamp,
    from: Party,
    to: z.array(Party),
    subject: z.string().nullable().describe("null where you see only who and when."),
    text: z.string().nullable().describe("Without quotes and signature; null where you do not see it."),
    attachments: z.array(z.strictObject({ name: z.string(), type: z.string(), size: z.int() })),
    automatic: z.boolean(),
    visible: z.enum(shareLevels).describe("How much of it you see."),
    shared: z.enum(shareLevels).describe("How much of it the workspace sees."),
    mine: z.boolean().describe("It is in a mailbox of yours."),
  })
  .meta({ id: "Message", description: "An e-mail, as far as the caller may see it." });

const Contact = z.strictObject({ entity_id: Id, name: z.string() });

export const Thread = z
  .strictObject({
    id: Id,
    subject: z.string().nullable(),
    last_at: Timestamp,
    messages: z.int().describe("How many you may know of."),
    last: z.strictObject({
      type: z.enum(messageTypes).nullable(),
      from: Party,
      snippet: z.string().nullable(),
    }),
    waits_for: z.enum(["us", "them"]).nullable().describe("Who has to answer; null where the last message needs none."),
    contacts: z.array(Contact),
    shared: z.enum(shareLevels).describe("How much of the last message the workspace sees."),
    mine: z.boolean().describe("Some of it is in a mailbox of yours."),
  })
  .meta({ id: "Thread", description: "A conversation by e-mail." });
export type Thread = z.output<typeof Thread>;

const message: z.input<typeof Message> = {
  id: "0190a6e0-0000-7000-8000-000000000071",
  thread_id: "5a2b1c3d-0000-8000-8000-000000000072",
  type: "email_received",
  sent_at: "2026-06-03T09:00:00.000Z",
  from: { address: "anna@acme.com", name: "Anna Smith" },
  to: [{ address: "ada@example.com", name: null }],
  subject: "Re: pilot",
  text: "Tuesday works for us.",
  attachments: [],
  automatic: false,
  visible: "everything",
  shared: "metadata",
  mine: true,
};

const thread: z.input<typeof Thread> = {
  id: message.thread_id,
  subject: "Re: pilot",
  last_at: message.sent_at,
  messages: 2,
  last: { type: "email_received", from: message.from, snippet: "Tuesday works for us." },
  waits_for: "us",
  contacts: [{ entity_id: "0190a6e0-0000-7000-8000-000000000010", name: "Anna Smith" }],
  shared: "metadata",
  mine: true,
};

const ThreadFocus = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .describe("A person or company: id, e-mail, LinkedIn URL, domain or name.");
const ThreadsOutput = z.union([z.strictObject({ entity_id: Id, threads: z.array(Thread), ...cursorPage }), Ambiguous]);

export const listThreads = defineOperation({
  ...shared,
  name: "listThreads",
  summary: "List the conversations by e-mail with a person or company",
  description:
    "The latest first. A signed-in member and a client that they connected see their own mail and what is shared; an API key sees what is shared.",
  scope: "read",
  http: { method: "GET", path: "/v2/threads" },
  input: z.strictObject({ focus: ThreadFocus, ...cursorPaging(20, 50) }),
  output: ThreadsOutput,
  errors: ["invalid_focus", "entity_not_found"],
  codes: { fields: { focus: "invalid_focus" } },
  tool: {
    name: "list_threads",
    description: "E-mail conversations with someone.",
    parameters: ["focus"],
  },
  example: {
    input: { focus: "anna@acme.com" },
    output: {
      entity_id: "0190a6e0-0000-7000-8000-000000000010",
      threads: [thread],
      limit: 20,
      has_more: false,
      next_cursor: null,
    },
  },
});

const ThreadId = Id.describe("The thread's id.");

export const getThread = defineOperation({
  ...shared,
  ...ofOne({
    id: ThreadId,
    output: z.strictObject({ thread: Thread, messages: z.array(Message) }),
    missing: "thread_not_found",
  }),
  name: "getThread",
  summary: "Read a conversation",
  description: "Its messages in the order they were sent; of more than 200 the last. What you may not see is left out.",
  scope: "read",
  http: { method: "GET", path: "/v2/threads/:id" },
  example: { input: { id: message.thread_id }, output: { thread, messages: [message] } },
});

export const shareThread = defineOperation({
  name: "shareThread",
  tag,
  summary: "Choose how much of a conversation the others see",
  description: "Of your own messages in it, those to come included. null: as the mailbox says.",
  surface: "app",
  scope: "write",
  http: { method: "PATCH", path: "/threads/:id" },
  input: z.strictObject({ id: ThreadId, share: Share.nullable() }),
  output: z.strictObject({ thread: Thread }),
  errors: ["thread_not_found", "member_required"],
  codes: { fields: { id: "thread_not_found" } },
  example: { input: { id: message.thread_id, share: "everything" } },
});

/** What everyone else in the workspace sees of mail, for the member who shares it. */
const preview = { tag, surface: "app", scope: "read" } as const;

export const previewThreads = defineOperation({
  ...preview,
  name: "previewThreads",
  summary: "The conversations with a person or company, as the workspace sees them",
  http: { method: "GET", path: "/team-view/threads" },
  input: z.strictObject({ focus: ThreadFocus, ...cursorPaging(20, 50) }),
  output: ThreadsOutput,
  errors: ["invalid_focus", "entity_not_found", "member_required"],
  codes: { fields: { focus: "invalid_focus" } },
  example: { input: { focus: "anna@acme.com" } },
});

export const previewThread = defineOperation({
  ...preview,
  name: "previewThread",
  summary: "A conversation that the caller sees, as the workspace sees it",
  http: { method: "GET", path: "/team-view/threads/:id" },
  input: z.strictObject({ id: ThreadId }),
  output: z.strictObject({
    thread: Thread.nullable().describe("null: the workspace sees nothing of it."),
    messages: z.array(Message),
  }),
  errors: ["thread_not_found", "member_required"],
  codes: { fields: { id: "thread_not_found" } },
  example: { input: { id: message.thread_id } },
});

export const previewMailbox = defineOperation({
  ...preview,
  name: "previewMailbox",
  summary: "The latest messages of the caller's mailbox, as the workspace sees them",
  description: "At most 20. What the workspace may not know of is left out.",
  http: { method: "GET", path: "/team-view/mailboxes/:id" },
  input: z.strictObject({ id: Id.describe("The mailbox.") }),
  output: z.strictObject({ messages: z.array(Message) }),
  errors: ["mailbox_not_found", "member_required"],
  codes: { fields: { id: "mailbox_not_found" } },
  example: { input: { id: "0190a6e0-0000-7000-8000-000000000073" } },
});

export const listMessages = defineOperation({
  ...preview,
  name: "listMessages",
  summary: "What messages are about, as far as the caller may see it",
  description: "For timelines: those of its activities that are e-mails. What the caller may not see is left out.",
  http: { method: "GET", path: "/messages" },
  input: z.strictObject({ ids: z.array(Id).min(1).max(200).describe("Messages.") }),
  output: z.strictObject({
    messages: z.array(
      z.strictObject({ id: Id, thread_id: Id, subject: z.string().nullable(), snippet: z.string().nullable() }),
    ),
  }),
  example: { input: { ids: [message.id] } },
});
