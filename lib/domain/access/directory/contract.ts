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
  members: z.int().describe("How many people of the directory are in it."),
  role: GroupRole.nullable().describe(
    "The role of its members, the highest one where they are in several groups; null: it gives none.",
  ),
});
export type DirectoryGroup = z.output<typeof DirectoryGroup>;

const exampleGroup: DirectoryGroup = {
  id: "0190a6e0-0000-7000-8000-000000000024",
  name: "Sales operations",
  members: 4,
  role: "admin",
};

export const getDirectory = defineOperation({
  name: "getDirectory",
  tag,
  summary: "What the company's directory sent by SCIM",
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
  }),
  example: { input: {} },
});

export const setGroupRole = defineOperation({
  name: "setGroupRole",
  tag,
  summary: "Say which role the members of a group have",
  description:
    "A member of several groups has the highest of their roles. Owners stay owners. A member becomes `member` when no group gives them a role any more.",
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
