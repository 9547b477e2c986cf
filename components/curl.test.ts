import { expect, test } from "vitest";
import { curlOf } from "#components/curl.ts";

const listNotes = { http: { path: "/v2/notes" } };

test("a read names the address and the key's variable", () => {
  expect(curlOf("https://r.example", listNotes, { headers: ["x-service-client: curl"] })).toBe(
    'curl https://r.example/v2/notes \\\n  -H "Authorization: Bearer $RAPPORT_API_KEY" \\\n  -H "x-service-client: curl"',
  );
});

test("a body survives the shell's quotes", () => {
  expect(curlOf("https://r.example", listNotes, { key: "k1", body: { title: "Anna's call" } })).toBe(
    [
      "curl https://r.example/v2/notes \\",
      '  -H "Authorization: Bearer k1" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d '{"title":"Anna'\\''s call"}'`,
    ].join("\n"),
  );
});
