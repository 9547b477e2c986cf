import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { plans, roles } from "#lib/core/plans.ts";
import { Id, nonBlank, Timestamp } from "#lib/core/schema.ts";

const tag = "Workspace";

export const WorkspaceName = nonBlank()
  .trim()
  .max(100, "Use at most 100 characters.")
  .describe("Up to 100 characters.");
export const Website = z.string().trim().max(200).describe("A domain or URL; empty: none.");

export const Workspace = z.strictObject({
  id: Id,
  name: z.string(),
  website: z.string().nullable(),
  plan: z.enum(plans),
  created_at: Timestamp,
});
export type Workspace = z.output<typeof Workspace>;

export const getWorkspace = defineOperation({
  name: "getWorkspace",
  tag,
  summary: "Read the workspace's name, website and plan",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/workspace" },
  input: z.strictObject({}),
  output: Workspace,
  example: { input: {} },
});

export const updateWorkspace = defineOperation({
  name: "updateWorkspace",
  tag,
  summary: "Rename the workspace or change its website",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "PATCH", path: "/workspace" },
  input: z.strictObject({ name: WorkspaceName.optional(), website: Website.optional() }),
  output: Workspace,
  errors: ["name_required", "invalid_website"],
  codes: { fields: { name: "name_required" } },
  example: { input: { website: "acme.com" } },
});

export const deleteWorkspace = defineOperation({
  name: "deleteWorkspace",
  tag,
  summary: "Delete the workspace and everything in it, for good",
  surface: "app",
  scope: "admin",
  role: "owner",
  recent: () => true,
  http: { method: "POST", path: "/workspace/delete" },
  input: z.strictObject({ confirm: z.string().describe("The workspace's name, typed by the owner.") }),
  output: z.strictObject({ ok: z.literal(true) }),
  errors: ["confirmation_mismatch", "recent_sign_in_required"],
  example: { input: { confirm: "Acme" } },
});

/** A workspace as one of its members sees it in the switcher. */
export const Membership = z.strictObject({
  workspace_id: Id,
  name: z.string(),
  role: z.enum(roles),
  plan: z.enum(plans),
});

export const listMyWorkspaces = defineOperation({
  name: "listMyWorkspaces",
  tag: "Account",
  summary: "The workspaces you are a member of",
  surface: "user",
  scope: "read",
  http: { method: "GET", path: "/api/account/workspaces" },
  input: z.strictObject({}),
  output: z.strictObject({ workspaces: z.array(Membership) }),
  example: {
    input: {},
  },
});

export const createWorkspace = defineOperation({
  name: "createWorkspace",
  tag: "Account",
  summary: "Create a workspace and own it",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/workspaces", status: 201 },
  input: z.strictObject({ name: WorkspaceName, website: Website.optional() }),
  output: z.strictObject({ workspace_id: Id }),
  errors: ["name_required", "invalid_website"],
  codes: { missing: { name: "name_required" } },
  example: { input: { name: "Acme", website: "acme.com" } },
});
