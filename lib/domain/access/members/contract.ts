import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { roles } from "#lib/core/plans.ts";
import { EmailAddress, Id, Timestamp } from "#lib/core/schema.ts";

const Role = z
  .enum(roles)
  .describe("Each role may do what the ones before it may: viewer (reads), member (also writes), admin, owner.");
const tag = "Members";

export const Member = z.strictObject({
  id: Id,
  user_id: Id,
  name: z.string().nullable(),
  email: z.string(),
  role: Role,
  joined_at: Timestamp,
  disabled: z.boolean().describe("The operator of the server keeps them from signing in."),
});
export type Member = z.output<typeof Member>;

export const Invitation = z.strictObject({
  id: Id,
  email: z.string().nullable().describe("Who it is for. The link works for anyone who has it."),
  role: Role,
  invited_by: z.string().nullable().describe("Name or e-mail of the member who made it."),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Invitation = z.output<typeof Invitation>;

const exampleMember: Member = {
  id: "0190a6e0-0000-7000-8000-000000000021",
  user_id: "0190a6e0-0000-7000-8000-000000000002",
  name: "Ada Lovelace",
  email: "ada@acme.example",
  role: "owner",
  joined_at: "2026-06-03T09:00:00.000Z",
  disabled: false,
};
const exampleInvitation: Invitation = {
  id: "0190a6e0-0000-7000-8000-000000000022",
  email: "grace@acme.example",
  role: "member",
  invited_by: "Ada Lovelace",
  created_at: "2026-06-03T09:00:00.000Z",
  expires_at: "2026-06-10T09:00:00.000Z",
};
const exampleToken = "••••••••••••••••••••••••••••••••";

export const listMembers = defineOperation({
  name: "listMembers",
  tag,
  summary: "Who belongs to the workspace, first joined first",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/members" },
  input: z.strictObject({}),
  output: z.strictObject({ members: z.array(Member) }),
  example: { input: {} },
});

const owned = { people: z.int(), companies: z.int(), tasks: z.int(), api_keys: z.int() };
export const Belongings = z
  .strictObject(owned)
  .describe("Records that are not archived, open tasks, API keys that still work.");
export type Belongings = z.output<typeof Belongings>;

const Owner = z.strictObject({
  email: z.string(),
  name: z.string().nullable(),
  standing: z.enum(["member", "disabled", "left"]),
  ...owned,
});
export type Owner = z.output<typeof Owner>;

export const listOwners = defineOperation({
  name: "listOwners",
  tag,
  summary: "Who owns how many records, open tasks and API keys, also of those who left or cannot sign in",
  description: "What there is to hand over. Who owns nothing is left out.",
  surface: "app",
  scope: "read",
  role: "admin",
  http: { method: "GET", path: "/owners" },
  input: z.strictObject({}),
  output: z.strictObject({ owners: z.array(Owner) }),
  example: { input: {} },
});

export const changeRole = defineOperation({
  name: "changeRole",
  tag,
  summary: "Change a member's role",
  description:
    "Only an owner makes or unmakes an owner, and the last owner stays one. Invitations that the member made and may not make any more stop working.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "PATCH", path: "/members/:id" },
  input: z.strictObject({ id: Id, role: Role }),
  output: z.strictObject({ member: Member }),
  errors: ["member_not_found", "role_required", "last_owner"],
  codes: { fields: { id: "member_not_found" } },
  example: { input: { id: exampleMember.id, role: "admin" } },
});

const LeavesWithMember = z.strictObject({
  messages: z.int(),
  meetings: z.int(),
  owned: Belongings,
});
export type LeavesWithMember = z.output<typeof LeavesWithMember>;

export const previewRemoval = defineOperation({
  name: "previewRemoval",
  tag,
  summary: "What a member shared of their mail and meetings, and what they own, before they are removed",
  description:
    "How many messages and meetings everyone sees that came through their mailboxes and calendars. For who may remove them.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/members/:id/removal" },
  input: z.strictObject({ id: Id }),
  output: LeavesWithMember,
  errors: ["member_not_found", "role_required"],
  codes: { fields: { id: "member_not_found" } },
  example: { input: { id: exampleMember.id } },
});

export const removeMember = defineOperation({
  name: "removeMember",
  tag,
  summary: "Remove a member, or leave the workspace yourself",
  description:
    "Their access ends with their next request; API keys they created keep working; clients they connected, keys of their device logins and their invitations do not. `owned` is what they had to hand over: records stay theirs, open tasks become unassigned. Anyone may leave; removing others takes an admin, removing an owner an owner. The last owner stays.",
  surface: "app",
  scope: "read",
  http: { method: "DELETE", path: "/members/:id" },
  input: z.strictObject({
    id: Id,
    mail: z
      .enum(["keep", "remove"])
      .default("keep")
      .describe(
        "Whether what they shared stays that came through their mailboxes and calendars. What only they could see is removed in any case.",
      ),
  }),
  output: z.strictObject({ member: Member, owned: Belongings }),
  errors: ["member_not_found", "role_required", "last_owner"],
  codes: { fields: { id: "member_not_found" } },
  example: { input: { id: exampleMember.id } },
});

export const leaveWorkspace = defineOperation({
  name: "leaveWorkspace",
  tag: "Account",
  summary: "Leave a workspace, also one that demands another way to sign in",
  description:
    "As removing yourself from its members; what you shared of your mail and meetings stays. The last owner stays.",
  surface: "user",
  scope: "write",
  http: { method: "DELETE", path: "/api/account/workspaces/:id" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ id: Id }),
  errors: ["workspace_not_found", "last_owner"],
  codes: { fields: { id: "workspace_not_found" } },
  example: { input: { id: "0190a6e0-0000-7000-8000-000000000001" } },
});

export const listInvitations = defineOperation({
  name: "listInvitations",
  tag,
  summary: "Invitations that still work, newest first",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "GET", path: "/invitations" },
  input: z.strictObject({}),
  output: z.strictObject({ invitations: z.array(Invitation) }),
  example: { input: {} },
});

export const invite = defineOperation({
  name: "invite",
  tag,
  summary: "Make a link that lets its holder join the workspace once",
  description: "The link works for seven days and is shown this once. Only an owner invites an owner.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/invitations", status: 201 },
  input: z.strictObject({
    role: Role.default("member"),
    email: EmailAddress.optional().describe("Gets the link by e-mail where the server can send any."),
  }),
  output: z.strictObject({
    invitation: Invitation,
    link: z.string().describe("Absolute where the server knows its public address, else a path."),
    mailed: z.boolean().describe("The link was handed to the mail server."),
  }),
  errors: ["invalid_email", "role_required", "already_member"],
  codes: { fields: { email: "invalid_email" } },
  secrets: { output: ["link"] },
  example: {
    input: { role: "member", email: "grace@acme.example" },
  },
});

export const revokeInvitation = defineOperation({
  name: "revokeInvitation",
  tag,
  summary: "Withdraw an invitation: its link stops working",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "DELETE", path: "/invitations/:id" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ id: Id }),
  errors: ["invitation_not_found"],
  codes: { fields: { id: "invitation_not_found" } },
  example: { input: { id: exampleInvitation.id } },
});

const Token = z.string().max(200).describe("The last part of the link.");

export const readInvitation = defineOperation({
  name: "readInvitation",
  tag: "Account",
  summary: "What a link invites to",
  surface: "user",
  scope: "read",
  http: { method: "GET", path: "/api/account/invitations/:token" },
  input: z.strictObject({ token: Token }),
  output: z.strictObject({
    workspace_name: z.string(),
    role: Role,
    email: z.string().nullable(),
    invited_by: z.string().nullable(),
    expires_at: Timestamp,
    has_account: z.boolean().describe("The invited address has an account already."),
  }),
  errors: ["invitation_not_found"],
  example: {
    input: { token: exampleToken },
  },
});

export const acceptInvitation = defineOperation({
  name: "acceptInvitation",
  tag: "Account",
  summary: "Join the workspace a link invites to",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/invitations/:token/accept" },
  input: z.strictObject({ token: Token }),
  output: z.strictObject({ workspace_id: Id }),
  errors: ["invitation_not_found", "already_member"],
  example: { input: { token: exampleToken } },
});
