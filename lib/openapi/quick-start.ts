/** The first calls, as text to copy and run: save a person, then ask for what to know before writing to them. */

export type Snippet = { id: string; label: string; note: string; code: string };

/** The place of the key in each snippet. The page puts the reader's own there. */
export const KEY_PLACE = "$RAPPORT_API_KEY";

const person = { email: "anna@acme.com", first_name: "Anna" };
const question = { focus: "anna@acme.com", intent: "draft_email" };

const curl = (origin: string): string =>
  [
    ["/v2/people", person],
    ["/v2/context", question],
  ]
    .map(([path, body]) =>
      [
        `curl ${origin}${path}`,
        `  -H "Authorization: Bearer ${KEY_PLACE}"`,
        `  -H "Content-Type: application/json"`,
        `  -d '${JSON.stringify(body)}'`,
      ].join(" \\\n"),
    )
    .join("\n\n");

const typescript = (origin: string): string => `async function rapport(path: string, body: object) {
  const answer = await fetch("${origin}" + path, {
    method: "POST",
    headers: { authorization: "Bearer ${KEY_PLACE}", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

await rapport("/v2/people", ${JSON.stringify(person)});
console.log(await rapport("/v2/context", ${JSON.stringify(question)}));`;

const python = (origin: string): string => `import json, urllib.request

def rapport(path, body):
    request = urllib.request.Request(
        "${origin}" + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": "Bearer ${KEY_PLACE}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

rapport("/v2/people", ${JSON.stringify(person)})
print(rapport("/v2/context", ${JSON.stringify(question)}))`;

const mcp = (origin: string): string =>
  JSON.stringify(
    { mcpServers: { rapport: { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${KEY_PLACE}` } } } },
    null,
    2,
  );

/** The quick start of a server at `origin`, by language. */
export const quickStart = (origin: string): readonly Snippet[] => [
  { id: "curl", label: "curl", note: "In a terminal.", code: curl(origin) },
  {
    id: "typescript",
    label: "TypeScript",
    note: "Needs no package; Node 22 or later runs it.",
    code: typescript(origin),
  },
  { id: "python", label: "Python", note: "Needs no package; Python 3.", code: python(origin) },
  {
    id: "mcp",
    label: "MCP",
    note: "The configuration of any MCP client that takes a URL and headers. Clients that sign in by a page need only the URL.",
    code: mcp(origin),
  },
];
