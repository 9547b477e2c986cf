import type { Folder } from "#lib/providers/imap/client.ts";

/** Sent mail comes first: whom a member wrote to is a contact by the time that their answers are read. */
const READ: readonly Folder["role"][] = ["sent", "inbox", "archive"];
const NEVER: readonly Folder["role"][] = ["drafts", "spam", "trash"];

/** Whether a folder is read unless the member chooses others. */
export const isReadByDefault = ({ role, selectable }: Folder): boolean => selectable && READ.includes(role);

/** The folders to read, in order. Drafts, spam and deleted mail never are. */
export function foldersToRead(folders: readonly Folder[], chosen: readonly string[]): Folder[] {
  const wanted = folders.filter((folder) =>
    chosen.length === 0
      ? isReadByDefault(folder)
      : folder.selectable && chosen.includes(folder.path) && !NEVER.includes(folder.role),
  );
  const placeOf = ({ role }: Folder) => (READ.indexOf(role) + READ.length + 1) % (READ.length + 1);
  return wanted.toSorted((a, b) => placeOf(a) - placeOf(b) || a.path.localeCompare(b.path));
}
