/**
 * Patterns that find whole identifiers in text: addresses, ids, URLs, telephone numbers. `anna@acme.com` is found in
 * "anna@acme.com." and "<anna@acme.com>", and not in "joanna@acme.com" or "anna@acme.com.au". Understood by both
 * JavaScript and Postgres; text and pattern are in lower case. The text may be JSON, where a line break is `\n`.
 */
export function mentionPattern(identifier: string): string {
  const text = identifier.toLowerCase();
  // A URL without its scheme may follow a subdomain: `de.linkedin.com/in/anna`.
  const before = text.includes("/") ? "[a-z0-9_-]" : "[a-z0-9._%+-]";
  const begin = String.raw`((?<!${before})|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4}))`;
  return `${begin}${escaped(text)}${String.raw`(?![a-z0-9_@-]|\.[a-z0-9])`}`;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
