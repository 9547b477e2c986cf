const ENTITIES: Readonly<Record<string, string>> = {
  ...{
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    ensp: " ",
    emsp: " ",
    thinsp: " ",
    zwnj: "",
    zwj: "",
  },
  ...{ shy: "", bull: "•", middot: "·", hellip: "…", ndash: "–", mdash: "—", lsquo: "‘", rsquo: "’", sbquo: "‚" },
  ...{ ldquo: "“", rdquo: "”", bdquo: "„", laquo: "«", raquo: "»", lsaquo: "‹", rsaquo: "›", euro: "€", pound: "£" },
  ...{ yen: "¥", cent: "¢", sect: "§", para: "¶", copy: "©", reg: "®", trade: "™", deg: "°", plusmn: "±", times: "×" },
  ...{ divide: "÷", frac12: "½", frac14: "¼", frac34: "¾", sup2: "²", sup3: "³", micro: "µ", iexcl: "¡", iquest: "¿" },
  ...{ Auml: "Ä", auml: "ä", Ouml: "Ö", ouml: "ö", Uuml: "Ü", uuml: "ü", szlig: "ß", Agrave: "À", agrave: "à" },
  ...{ Aacute: "Á", aacute: "á", Acirc: "Â", acirc: "â", Atilde: "Ã", atilde: "ã", Aring: "Å", aring: "å" },
  ...{ AElig: "Æ", aelig: "æ", Ccedil: "Ç", ccedil: "ç", Egrave: "È", egrave: "è", Eacute: "É", eacute: "é" },
  ...{ Ecirc: "Ê", ecirc: "ê", Euml: "Ë", euml: "ë", Igrave: "Ì", igrave: "ì", Iacute: "Í", iacute: "í" },
  ...{ Icirc: "Î", icirc: "î", Iuml: "Ï", iuml: "ï", Ntilde: "Ñ", ntilde: "ñ", Ograve: "Ò", ograve: "ò" },
  ...{ Oacute: "Ó", oacute: "ó", Ocirc: "Ô", ocirc: "ô", Otilde: "Õ", otilde: "õ", Oslash: "Ø", oslash: "ø" },
  ...{ Ugrave: "Ù", ugrave: "ù", Uacute: "Ú", uacute: "ú", Ucirc: "Û", ucirc: "û", Yacute: "Ý", yacute: "ý" },
  ...{ OElig: "Œ", oelig: "œ", Scaron: "Š", scaron: "š", rarr: "→", larr: "←", check: "✓" },
};

const ENTITY = /&(?:#(\d{1,10})|#[xX]([\da-fA-F]{1,8})|([a-zA-Z][a-zA-Z\d]{1,10}));?/g;

function decoded(text: string): string {
  return text.replaceAll(ENTITY, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? written;
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    return code === 0 || code > 0x10_ff_ff ? "\uFFFD" : String.fromCodePoint(code);
  });
}

/** Elements whose text no one reads. */
const UNREAD = new Set(["script", "style", "title", "template"]);
const LINE = new Set([
  ...["div", "tr", "li", "dt", "dd", "address", "article", "section", "header", "footer", "center", "form", "option"],
]);
const PARAGRAPH = new Set([
  "p",
  "table",
  "ul",
  "ol",
  "dl",
  "blockquote",
  "pre",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "hr",
]);

/**
 * The text of an HTML mail, as a person would see it: a line for each block, `>` before what is quoted. Reads every character
 * once, whatever it is given.
 */
export function textOfHtml(html: string): string {
  const lines: string[] = [];
  /** The line that is being written, in pieces: one string would be copied with every piece. */
  let line: string[] = [];
  let isSpaced = true;
  let quotes = 0;
  let preformatted = 0;

  const put = (text: string): void => {
    if (text === "") return;
    line.push(text);
    isSpaced = text.endsWith(" ");
  };
  const end = (): void => {
    const text = line.join("").trimEnd();
    const mark = ">".repeat(Math.min(quotes, 20));
    lines.push(mark && text ? `${mark} ${text}` : mark || text);
    line = [];
    isSpaced = true;
  };
  /** Ends the line that is being written, if there is one. */
  const endLine = (): void => {
    if (line.some((piece) => piece.trim() !== "")) end();
    line = [];
    isSpaced = true;
  };
  const endParagraph = (): void => {
    endLine();
    if (/^>*$/.test(lines.at(-1) ?? "")) lines.pop();
    if (lines.length > 0) end();
  };
  const write = (raw: string): void => {
    const text = decoded(raw).replaceAll("\u00a0", " ");
    if (preformatted > 0) {
      const [first = "", ...rest] = text.split(/\r?\n/);
      put(first);
      for (const next of rest) {
        end();
        put(next);
      }
      return;
    }
    const joined = text.replaceAll(/[\s\u200b\u200c\ufeff]+/g, " ");
    put(isSpaced ? joined.trimStart() : joined);
  };

  const openTag = (name: string): void => {
    if (name === "br") end();
    else if (PARAGRAPH.has(name)) endParagraph();
    else if (LINE.has(name)) endLine();
    else if ((name === "td" || name === "th") && !isSpaced) put(" ");
    if (name === "li") put("* ");
    if (name === "blockquote") quotes++;
    if (name === "pre") preformatted++;
  };
  const closeTag = (name: string): void => {
    if (PARAGRAPH.has(name)) endLine();
    else if (LINE.has(name)) endLine();
    if (name === "blockquote") quotes = Math.max(0, quotes - 1);
    if (name === "pre") preformatted = Math.max(0, preformatted - 1);
    if (PARAGRAPH.has(name)) endParagraph();
  };

  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) {
      write(html.slice(at));
      break;
    }
    if (open > at) write(html.slice(at, open));
    if (html.startsWith("<!--", open)) {
      const close = html.indexOf("-->", open + 4);
      if (close < 0) break;
      at = close + 3;
      continue;
    }
    const [tag, slash = "", name = ""] = /^<(\/?)([a-zA-Z][a-zA-Z0-9:]{0,30})/.exec(html.slice(open, open + 40)) ?? [];
    if (tag === undefined && !/^<[!?/]/.test(html.slice(open, open + 2))) {
      write("<");
      at = open + 1;
      continue;
    }
    const close = endOfTag(html, open + (tag?.length ?? 1));
    if (close < 0) break;
    at = close + 1;
    const lower = name.toLowerCase();
    if (slash !== "") closeTag(lower);
    else if (UNREAD.has(lower)) at = afterElement(html, lower, at);
    else openTag(lower);
  }
  endLine();
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Where a tag ends: at its `>`, but not at one inside of a value in quotes; that may be unclosed. */
function endOfTag(html: string, from: number): number {
  const close = html.indexOf(">", from);
  if (close < 0) return -1;
  const inside = html.slice(from, close);
  const quote = /["'][^"']*$/.exec(inside.slice(-4_000))?.[0][0];
  if (quote === undefined || inside.split(quote).length % 2 === 1) return close;
  const closing = html.indexOf(quote, close);
  const end = closing < 0 || closing - close > 4_000 ? close : html.indexOf(">", closing);
  return end < 0 ? close : end;
}

/** What follows the end tag of an element that is not read; the rest is not read either when there is none. */
function afterElement(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}\\b`, "gi");
  end.lastIndex = from;
  const close = end.exec(html) ? html.indexOf(">", end.lastIndex) : -1;
  return close < 0 ? html.length : close + 1;
}
