type Request = {
  /** Replaces the variable that all our instructions use. */
  key?: string;
  headers?: readonly string[];
  body?: object;
};

/** A call of an operation as a command to paste into a shell. */
export function curlOf(
  origin: string,
  { http }: { http: { path: string } },
  { key = "$RAPPORT_API_KEY", headers = [], body }: Request = {},
): string {
  const all = [`Authorization: Bearer ${key}`, ...headers, ...(body ? ["Content-Type: application/json"] : [])];
  const lines = [`curl ${origin}${http.path}`, ...all.map((header) => `-H "${header}"`)];
  if (body) lines.push(`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n  ");
}
