import { type Role, roles } from "#lib/core/plans.ts";

const words: Record<Role, { label: string; description: string }> = {
  viewer: { label: "Viewer", description: "Reads what the workspace knows and changes nothing." },
  member: { label: "Member", description: "Reads and writes what the workspace knows." },
  admin: { label: "Admin", description: "Also manages keys, members and settings." },
  owner: { label: "Owner", description: "Also manages owners and can delete the workspace." },
};

export const roleLabel = (role: Role): string => words[role].label;

/** The roles someone with `role` may give to others. */
export const roleOptions = (role: Role) =>
  roles.filter((each) => each !== "owner" || role === "owner").map((value) => ({ value, ...words[value] }));

/** A role in a sentence: "an admin". */
export const aRole = (role: Role): string => `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
