/** How a command ended, for scripts. docs/guide/cli.md has the same table. */
export const exitCodes = {
  done: [0, "It worked."],
  failed: [1, "It did not work, for a reason that the message says: a conflict, a refusal in the browser, an error."],
  usage: [2, "Wrong arguments, or a value that the server does not accept."],
  signedOut: [3, "Not signed in, or the API key does not work any more."],
  notFound: [4, "Nothing was found, or several things have that name."],
  refused: [5, "The API key's scopes, its addresses or the workspace's plan do not allow it."],
  unreachable: [6, "The server could not be reached, or is not ready."],
} as const satisfies Record<string, readonly [code: number, meaning: string]>;

export type Exit = (typeof exitCodes)[keyof typeof exitCodes][0];

/** What an answer of the API ends with. */
export function exitOf(status: number): Exit {
  if (status === 401) return 3;
  if (status === 404) return 4;
  if (status === 402 || status === 403) return 5;
  if ([502, 503, 504].includes(status)) return 6;
  return [400, 413, 415].includes(status) ? 2 : 1;
}

export const exitCodesText = (): string =>
  `Exit codes\n\n${Object.values(exitCodes)
    .map(([code, meaning]) => `  ${code}  ${meaning}`)
    .join("\n")}\n\nCommands under \`rapport admin\` end with 0, 1 or 2.\n`;
