/** The headers that mail programs write above a mail that is forwarded, in the languages they do. */
import { addressParser } from "postal-mime";
import { normaliseEmail } from "../mailbox.ts";
import type { MailAddress } from "./address.ts";
import { readDate } from "./written-date.ts";

export type Forwarded = {
  /** null when only a name stands there */
  from: MailAddress | null;
  /** by the clock of the person who forwarded it, taken as UTC, unless it names a zone; null when it cannot be told */
  date: Date | null;
  subject: string | null;
  to: MailAddress[];
  /** what it says below its headers */
  text: string;
};

type Field = "from" | "date" | "subject" | "to" | "cc";

/**
 * What the fields are called: English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Danish and Norwegian, Polish,
 * Russian, Turkish, Japanese, Chinese.
 */
const FIELDS: Readonly<Record<Field, readonly string[]>> = {
  from: [
    "from",
    "von",
    "de",
    "da",
    "van",
    "från",
    "fra",
    "od",
    "от",
    "от кого",
    "kimden",
    "差出人",
    "发件人",
    "寄件者",
  ],
  date: [
    ...[
      "date",
      "sent",
      "datum",
      "gesendet",
      "envoyé",
      "envoyé le",
      "fecha",
      "enviado",
      "enviado el",
      "enviado em",
      "data",
    ],
    ...["enviada em", "enviada", "inviato", "verzonden", "skickat", "dato", "sendt", "wysłano", "дата", "отправлено"],
    ...["tarih", "gönderme tarihi", "gönderildi", "日付", "送信日時", "日期", "发送时间", "寄件日期"],
  ],
  subject: [
    ...["subject", "betreff", "objet", "asunto", "assunto", "oggetto", "onderwerp", "ämne", "emne", "temat", "тема"],
    ...["konu", "件名", "主题", "主旨"],
  ],
  to: ["to", "an", "à", "a", "para", "aan", "till", "til", "do", "кому", "kime", "宛先", "收件人", "收件者"],
  cc: ["cc", "kopie", "copie", "copia", "kopia", "kopi", "dw", "копия", "bilgi", "抄送", "副本"],
};

const FIELD_OF = new Map(
  Object.entries(FIELDS).flatMap(([field, names]) => names.map((name) => [name, field as Field] as const)),
);

/** Lines of a mail in which the headers are looked for, and of one field that goes on. */
const MOST_LINES = 400;
const MOST_MORE = 30;
const MOST_LINE = 2_000;

/**
 * The headers of the mail that a text forwards: the first lines that name at least a sender and two more things. Null when there
 * are none.
 */
export function parseForwarded(text: string): Forwarded | null {
  const lines = text.split(/\r?\n/, MOST_LINES).map((line) =>
    line
      .slice(0, MOST_LINE)
      .replace(/^[\s>]+/, "")
      .replaceAll("*", "")
      .trim(),
  );
  for (let at = 0; at < lines.length; at++) {
    if (fieldIn(lines[at] ?? "") === null) continue;
    const { fields, end } = fieldsFrom(lines, at);
    if (fields.size >= 3 && fields.has("from")) return forwarded(fields, lines.slice(end).join("\n").trim());
  }
  return null;
}

function fieldIn(line: string): { field: Field; name: string; value: string } | null {
  const [, name = "", value = ""] = /^([\p{L} ]{1,20}?)\s?[:：]\s*(.*)$/u.exec(line) ?? [];
  const field = FIELD_OF.get(name.normalize("NFC").toLowerCase());
  return field ? { field, name, value } : null;
}

/** Fields from a line on, and where they end. Recipients and subjects go on in lines that are no fields, where another field follows. */
function fieldsFrom(lines: readonly string[], start: number): { fields: Map<Field, string>; end: number } {
  const fields = new Map<Field, string>();
  let latest: Field | null = null;
  let more: string[] = [];
  let end = start;
  for (const [index, line] of lines.slice(start, start + MOST_MORE).entries()) {
    const found = fieldIn(line);
    if (found && !fields.has(found.field)) {
      if (latest) fields.set(latest, [fields.get(latest), ...more].join(" ").trim());
      fields.set(found.field, found.value);
      [latest, more, end] = [found.field, [], start + index + 1];
    } else if (line === "") break;
    else more.push(line);
  }
  return { fields, end };
}

function forwarded(fields: ReadonlyMap<Field, string>, text: string): Forwarded {
  return {
    from: addressesIn(fields.get("from") ?? "")[0] ?? null,
    date: readDate(fields.get("date") ?? ""),
    subject: fields.get("subject")?.trim().slice(0, 998) || null,
    to: addressesIn(fields.get("to") ?? ""),
    text,
  };
}

/** Addresses as programs write them: `Anna <anna@acme.example>`, with `[mailto:…]`, or bare, between commas or semicolons. */
function addressesIn(written: string): MailAddress[] {
  const tidy = written.replaceAll(/[[<]\s*(?:mailto:)?([^\s[\]<>@]+@[^\s[\]<>]+)\s*[\]>]/gi, " <$1> ");
  return addressParser(tidy, { flatten: true }).flatMap(({ address = "", name }) => {
    const known = normaliseEmail(address);
    if (known === null) return [];
    const tidyName = name.replace(/^['"](.*)['"]$/, "$1").trim();
    return [
      { address: known, name: tidyName === "" || tidyName.toLowerCase() === known ? null : tidyName.slice(0, 300) },
    ];
  });
}
