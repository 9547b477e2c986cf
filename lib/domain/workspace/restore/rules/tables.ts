import type { TenantTable } from "#lib/domain/workspace/privacy/service.ts";

type Row = Readonly<Record<string, unknown>>;

/** How a table of an export is read back. */
export type TableReading = {
  name: string;
  /** Fields of the file that are not columns, or that the database gives again. */
  ignored: readonly string[];
  /** Columns that are not in the file. */
  left: readonly string[];
  /** The row as it is written, when it cannot be written as it was. */
  mend?(row: Row): Row;
};

/** Tables whose secrets an export does not have, so that their rows would be of no use, with what people do instead. */
export const notRestored: Readonly<Record<string, string>> = {
  invitations: "invitations: invite people again",
  api_keys: "API keys: create new ones",
  directory_users: "people and groups of your directory (SCIM): connect it again",
  directory_groups: "people and groups of your directory (SCIM): connect it again",
  directory_group_members: "people and groups of your directory (SCIM): connect it again",
  oauth_grants: "connected clients: they ask to be connected again",
  approvals: "changes that waited for approval, and those decided: agents ask again",
  approval_rules: "what keys and clients may always set: approve it again",
  connections: "connections to providers: connect them again",
};

const UNFINISHED = ["queued", "running", "waiting"];

/** Columns that name a user, who may have another id in this installation. */
export const userColumns: Readonly<Record<string, string>> = { saved_views: "owner_id", tasks: "assignee_id" };

const exceptions: Readonly<Record<string, Partial<TableReading>>> = {
  members: { ignored: ["email", "name"] },
  backfills: {
    mend: (row) =>
      UNFINISHED.includes(row.state as string)
        ? { ...row, state: "cancelled", message: "The workspace was read back from an export meanwhile." }
        : row,
  },
};

/** The tables that are read back, in the order of the file: a row comes after those it refers to. */
export const restoredTables = (tables: readonly TenantTable[]): TableReading[] =>
  tables.flatMap(({ name, left }) => {
    if (name in notRestored || (left && "whole" in left)) return [];
    const without = left && "columns" in left ? left.columns : [];
    return [{ name, left: without, ...exceptions[name], ignored: [...without, ...(exceptions[name]?.ignored ?? [])] }];
  });
