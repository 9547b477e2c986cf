/** The headers of a mail as it arrived, the topmost first: what servers on the way wrote, each above what was there. */
export type Header = { name: string; value: string };

const MOST_HEADERS = 1_000;
const MOST_BYTES = 256 * 1024;

/** `name` in lower case, `value` in one line. */
export function headersIn(source: Buffer): Header[] {
  const text = source.subarray(0, MOST_BYTES).toString("utf8");
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const lines = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/, MOST_HEADERS);
  return lines.flatMap((line) => {
    const [, name, value = ""] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    return name ? [{ name: name.toLowerCase(), value: value.trim() }] : [];
  });
}
