/** A first request that works as pasted. */
export const curlOf = (origin: string, apiKey: string): string =>
  `curl ${origin}/v2/workspace/facts \\\n  -H "Authorization: Bearer ${apiKey}"`;
