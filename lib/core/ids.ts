import { v7, validate } from "uuid";

/** A new UUID v7: ordered by creation time within one process. */
export const newId = (): string => v7();

export const isUuid = (value: string): boolean => validate(value);

declare const workspaceBrand: unique symbol;

/** The id of a workspace the caller has been authorised for. Only `lib/auth` mints one. */
export type WorkspaceId = string & { readonly [workspaceBrand]: true };
