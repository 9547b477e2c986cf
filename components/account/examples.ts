/** Requests an agent could send about a record, ready to paste into a shell. */
const post = (origin: string, path: string, body: object): string =>
  [
    `curl ${origin}${path} \\`,
    '  -H "Authorization: Bearer $RAPPORT_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ].join("\n");

export const examplesFor = (origin: string, focus: string) => ({
  event: post(origin, "/v2/observations", {
    focus,
    observations: [
      { kind: "event", property: "interaction.meeting_held", value: { description: "Discovery call: wants SSO" } },
    ],
  }),
  activity: post(origin, "/api/v1/capture", {
    email: focus,
    type: "meeting_held",
    description: "Discovery call: wants SSO",
    external_id: "call-4711",
  }),
  fact: post(origin, "/v2/observations", {
    focus,
    observations: [{ kind: "state", property: "budget_eur", value: 40_000, source: "call" }],
  }),
  note: post(origin, "/v2/notes", {
    focus,
    type: "meeting_notes",
    title: "Discovery call",
    content: "Anna wants SSO.",
  }),
});
