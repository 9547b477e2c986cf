import { log } from "#lib/core/log.ts";
import { decrypt, encrypt } from "#lib/db/encrypted.ts";
import { purposeOfMeeting } from "#lib/domain/encrypted-columns.ts";
import { getBoot } from "#lib/settings/boot.ts";

/** What of a meeting is sealed. */
export type Content = {
  title: string | null;
  description: string | null;
  location: string | null;
  /** names by address, as the calendar gave them */
  names: Readonly<Record<string, string>>;
};

const keys = () => getBoot().secrets.encryptionKeys;

/** `id`: of the copy. */
export const sealContent = (id: string, content: Content): string =>
  encrypt(keys(), purposeOfMeeting(id), JSON.stringify(content));

/** Null when it cannot be opened, because the key is gone: the rest of a record is still shown. */
export function readContent(id: string, sealed: string): Content | null {
  try {
    return JSON.parse(decrypt(keys(), purposeOfMeeting(id), sealed)) as Content;
  } catch (error) {
    log.error({ err: error, copy_id: id }, "a meeting cannot be opened");
    return null;
  }
}
