import { sealJson, unsealJson } from "#lib/db/sealed.ts";
import { purposeOfMeeting } from "#lib/domain/encrypted-columns.ts";

/** What of a meeting is sealed. */
export type Content = {
  title: string | null;
  description: string | null;
  location: string | null;
  /** names by address, as the calendar gave them */
  names: Readonly<Record<string, string>>;
};

/** `id`: of the copy. */
export const sealContent = (id: string, content: Content): string => sealJson(purposeOfMeeting(id), content);

/** Null when its key is gone. */
export const readContent = (id: string, sealed: string): Content | null =>
  unsealJson<Content>(purposeOfMeeting(id), sealed);
