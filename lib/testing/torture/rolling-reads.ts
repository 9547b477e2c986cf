/** The reads of the version before, and where the answers of two versions differ. */

export type ReadRequest = { name: string; path: string; key: string; body?: object };

const FOCUS = "p1@rolling.example";
const posts: Readonly<Record<string, object>> = {
  "/v2/context": { focus: FOCUS },
  "/v2/notes/search": { question: "What do the notes say?" },
};

/** What is another at each answer, or of the moment. */
const changing = new Set(["next_cursor", "cursor", "as_of", "request_id", "token_count"]);

type Described = { paths: Record<string, Record<string, unknown>> };

/** Every read that its description has and that needs no id, and some that are POSTs. */
export async function readsOf(url: string, key: string): Promise<ReadRequest[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  const gets = Object.keys(paths)
    .filter((path) => "get" in (paths[path] ?? {}))
    .map((path) => path.replace("{focus}", encodeURIComponent(FOCUS)))
    .filter((path) => path.startsWith("/v2/") && !path.includes("{"));
  return [
    ...gets.map((path) => ({ name: `GET ${path}`, path, key })),
    ...Object.entries(posts).map(([path, body]) => ({ name: `POST ${path}`, path, key, body })),
  ];
}

async function answerOf({ path, key, body }: ReadRequest, url: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}

/** Where the newer answer lacks something of the earlier one, or says it otherwise; null when it does not. It may say more. */
export async function differenceOf(read: ReadRequest, before: string, after: string): Promise<string | null> {
  const [earlier, newer] = await Promise.all([answerOf(read, before), answerOf(read, after)]);
  return missingIn(newer, earlier, "");
}

function missingIn(newer: unknown, earlier: unknown, at: string): string | null {
  if (typeof earlier !== "object" || earlier === null)
    return Object.is(earlier, newer) ? null : `${at} is ${JSON.stringify(newer)} instead of ${JSON.stringify(earlier)}`;
  if (typeof newer !== "object" || newer === null) return `${at} is ${JSON.stringify(newer)}`;
  if (Array.isArray(earlier) && (!Array.isArray(newer) || newer.length !== earlier.length))
    return `${at} has another length`;
  for (const [name, value] of Object.entries(earlier)) {
    if (changing.has(name)) continue;
    const difference = missingIn((newer as Record<string, unknown>)[name], value, `${at}/${name}`);
    if (difference !== null) return difference;
  }
  return null;
}
