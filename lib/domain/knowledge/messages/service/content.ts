import { log } from "#lib/core/log.ts";
import { decrypt, encrypt } from "#lib/db/encrypted.ts";
import { purposeOfMessage } from "#lib/domain/encrypted-columns.ts";
import { getBoot } from "#lib/settings/boot.ts";

/** What of a message is sealed. `text`: without quotes and signature; null where only its subject is kept. */
export type Content = {
  subject: string | null;
  text: string | null;
  /** names by address, as the message gave them */
  names: Readonly<Record<string, string>>;
  attachments: readonly { name: string; type: string; size: number }[];
  /** it is no person's word: an automatic reply, or a message to a group */
  automatic: boolean;
};

const keys = () => getBoot().secrets.encryptionKeys;

export const sealContent = (id: string, content: Content): string =>
  encrypt(keys(), purposeOfMessage(id), JSON.stringify(content));

/** Null when it cannot be opened, because the key is gone: the rest of a record is still shown. */
export function readContent(id: string, sealed: string): Content | null {
  try {
    return JSON.parse(decrypt(keys(), purposeOfMessage(id), sealed)) as Content;
  } catch (error) {
    log.error({ err: error, message_id: id }, "a message cannot be opened");
    return null;
  }
}
