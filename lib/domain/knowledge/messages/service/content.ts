import { sealJson, unsealJson } from "#lib/db/sealed.ts";
import { purposeOfMessage } from "#lib/domain/encrypted-columns.ts";

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

export const sealContent = (id: string, content: Content): string => sealJson(purposeOfMessage(id), content);

/** Null when its key is gone. */
export const readContent = (id: string, sealed: string): Content | null =>
  unsealJson<Content>(purposeOfMessage(id), sealed);
