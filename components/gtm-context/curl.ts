/** What an agent could send to fill a section, ready to paste into a shell. */
export function curlFor(origin: string, section: string, content: string): string {
  const body = JSON.stringify({ section, content }).replaceAll("'", "'\\''");
  return [
    `curl ${origin}/v2/workspace/facts \\`,
    '  -H "Authorization: Bearer $RAPPORT_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join("\n");
}

/** How an agent reads the whole profile. */
export const curlToRead = (origin: string): string =>
  `curl ${origin}/v2/workspace/facts \\\n  -H "Authorization: Bearer $RAPPORT_API_KEY"`;
