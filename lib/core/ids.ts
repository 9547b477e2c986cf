import { v7 } from "uuid";

/** A new UUID v7: ordered by creation time within one process. */
export const newId = (): string => v7();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for every UUID Postgres takes, whatever its version: a caller may name a fact by an id of its own making. */
export const isUuid = (value: string): boolean => UUID.test(value);

declare const workspaceBrand: unique symbol;

/** The id of a workspace the caller has been authorised for. Only `lib/auth` mints one. */
export type WorkspaceId = string & { readonly [workspaceBrand]: true };
