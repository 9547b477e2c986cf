import type { Attachment, Email } from "postal-mime";

/** Without what the database does not keep: NUL, and halves of surrogate pairs. */
export const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Values of a header, as written; a message may have it several times. */
export const headersOf = ({ headers }: Pick<Email, "headers">, key: string): string[] =>
  headers.filter((header) => header.key === key).map(({ value }) => value);

export const headerOf = (email: Pick<Email, "headers">, key: string): string => headersOf(email, key)[0] ?? "";

/** What a part that is text says. */
export function textOfPart({ content }: Attachment): string {
  const text = typeof content === "string" ? content : new TextDecoder("utf-8").decode(content);
  return clean(text.replaceAll("\r\n", "\n"));
}
