import type { Folder } from "#lib/providers/imap/client.ts";

/** Sent mail comes first: whom a member wrote to is a contact by the time that their answers are read. */
const READ: readonly Folder["role"][] = ["sent", "inbox", "archive", "all"];
const NEVER: readonly Folder["role"][] = ["drafts", "spam", "trash"];

/** Whether a member may choose a folder. Drafts, spam and deleted mail never are read. */
export const mayBeRead = ({ role, selectable }: Folder): boolean => selectable && !NEVER.includes(role);

/**
 * The folders to read, in order. Unless the member chose some: sent mail, the inbox and the archive. Gmail has no archive: what its filters
 * archive is only in its folder of all mail, which has neither spam nor deleted mail.
 */
export function foldersToRead(folders: readonly Folder[], chosen: readonly string[]): Folder[] {
  const hasArchive = folders.some(({ role, selectable }) => role === "archive" && selectable);
  const usual = READ.filter((role) => role !== "all" || !hasArchive);
  const wanted = folders.filter(
    (folder) => mayBeRead(folder) && (chosen.length === 0 ? usual.includes(folder.role) : chosen.includes(folder.path)),
  );
  const placeOf = ({ role }: Folder) => (READ.indexOf(role) + READ.length + 1) % (READ.length + 1);
  return wanted.toSorted((a, b) => placeOf(a) - placeOf(b) || a.path.localeCompare(b.path));
}
