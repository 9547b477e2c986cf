import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { roles } from "#lib/core/plans.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

const tag = "Members";

/** Below it are the addresses of SCIM 2.0. */
export const SCIM_PATH = "/scim/v2";

const GroupRole = z.enum(roles).exclude(["owner"]);

export const DirectoryGroup = z.strictObject({
  id: Id,
  name: z.string(),
  members: z.int().nullable().describe("How many people of the directory are in it; null: added by hand."),
  role: GroupRole.nullable().describe(
    "The role of its members, the highest one where they are in several groups; null: it gives none.",
  ),
});
export type DirectoryGroup = z.output<typeof DirectoryGroup>;

const Provider = z.strictObject({ id: z.string(), name: z.string() });

export const SignInGroups = z.strictObject({
  follows: z
    .string()
    .nullable()
    .describe("Name of the OIDC provider whose groups bring members, or its issuer where the server has it no more."),
  may_follow: Provider.nullable().describe("The OIDC provider that you signed in with."),
  providers: z.array(Provider).describe("The OIDC providers of this server."),
});
export type SignInGroups = z.output<typeof SignInGroups>;

const exampleGroup: DirectoryGroup = {
  id: "0190a6e0-0000-7000-8000-000000000024",
  name: "Sales operations",
  members: 4,
  role: "admin",
};

export const getDirectory = defineOperation({
  name: "getDirectory",
  tag,
  summary: "What the company's directory sent by SCIM, and which provider's groups bring members",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "GET", path: "/directory" },
  input: z.strictObject({}),
  output: z.strictObject({
    address: z
      .string()
      .describe("Where the directory sends to; absolute where the server knows its public address, else a path."),
    active: z.int().describe("People that the directory calls active."),
    inactive: z.int().describe("People that the directory has deactivated."),
    changed_at: Timestamp.nullable().describe("When the directory last changed a person; null: it sent none."),
    groups: z.array(DirectoryGroup),
    sign_in: SignInGroups,
  }),
  example: { input: {} },
});

export const followGroups = defineOperation({
  name: "followGroups",
  tag,
  summary: "Let the groups of an OIDC provider bring members, or of none",
  description:
    "Who signs in with it has the role that their groups give from then on, and no membership without such a group. You must have signed in with it yourself (409 `signed_in_elsewhere`). With none, members stay as they are.",
  surface: "app",
  scope: "admin",
  role: "owner",
  recent: () => true,
  http: { method: "PATCH", path: "/directory/sign-in" },
  input: z.strictObject({ provider: z.string().max(32).nullable().describe("Its id on this server; null: none.") }),
  output: z.strictObject({ sign_in: SignInGroups }),
  errors: ["unknown_provider", "signed_in_elsewhere", "recent_sign_in_required"],
  example: { input: { provider: null } },
});

export const addDirectoryGroup = defineOperation({
  name: "addDirectoryGroup",
  tag,
  summary: "Write down a group of sign-ins, with the role it gives",
  description:
    "For groups that no directory sends by SCIM. One that is sent later takes the place of one with its name.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/directory/groups", status: 201 },
  input: z.strictObject({
    name: z.string().trim().min(1).max(400).describe("As ID tokens name it; Entra ID sends the group's object id."),
    role: GroupRole,
  }),
  output: z.strictObject({ group: DirectoryGroup }),
  errors: ["directory_group_exists"],
  example: { input: { name: "Sales operations", role: "member" } },
});

export const removeDirectoryGroup = defineOperation({
  name: "removeDirectoryGroup",
  tag,
  summary: "Remove a group that was added by hand",
  description: "Its people follow at their next sign-in. Groups of the directory are removed there.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "DELETE", path: "/directory/groups/:id" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ id: Id }),
  errors: ["directory_group_not_found"],
  codes: { fields: { id: "directory_group_not_found" } },
  example: { input: { id: exampleGroup.id } },
});

export const setGroupRole = defineOperation({
  name: "setGroupRole",
  tag,
  summary: "Say which role the members of a group have",
  description:
    "A member of several groups has the highest of their roles. Owners stay owners. A member of the directory becomes `member` when no group gives them a role any more. Who has groups by their sign-in follows at the next one.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "PATCH", path: "/directory/groups/:id" },
  input: z.strictObject({ id: Id, role: GroupRole.nullable().describe("Null: the group gives no role.") }),
  output: z.strictObject({ group: DirectoryGroup }),
  errors: ["directory_group_not_found"],
  codes: { fields: { id: "directory_group_not_found" } },
  example: { input: { id: exampleGroup.id, role: "admin" } },
});

const Truth = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);

/**
 * A person as a directory sends them (RFC 7643, 4.1). Other attributes are kept and returned as they came. Entra ID sends truth as
 * the words "True" and "False".
 */
export const SentUser = z.looseObject({
  userName: z.string().trim().min(1).max(320),
  externalId: z.string().max(400).nullish(),
  active: Truth.optional(),
  displayName: z.string().max(400).nullish(),
  name: z
    .looseObject({
      formatted: z.string().max(400).nullish(),
      givenName: z.string().max(200).nullish(),
      familyName: z.string().max(200).nullish(),
    })
    .nullish(),
  emails: z
    .array(z.looseObject({ value: z.string().max(400), primary: Truth.nullish() }))
    .max(50)
    .nullish(),
});
export type SentUser = z.output<typeof SentUser>;

/** A group as a directory sends it (RFC 7643, 4.2). */
export const SentGroup = z.looseObject({
  displayName: z.string().trim().min(1).max(400),
  externalId: z.string().max(400).nullish(),
  members: z
    .array(z.looseObject({ value: Id }))
    .max(50_000)
    .nullish(),
});
export type SentGroup = z.output<typeof SentGroup>;
