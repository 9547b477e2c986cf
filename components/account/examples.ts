import { curlOf } from "#components/curl.ts";
import { capture } from "#components/operations/activities.ts";
import { saveNote } from "#components/operations/notes.ts";
import { recordObservations } from "#components/operations/observations.ts";

/** Requests an agent could send about a record. */
export const examplesFor = (origin: string, focus: string) => ({
  event: curlOf(origin, recordObservations, {
    body: {
      focus,
      observations: [
        { kind: "event", property: "interaction.meeting_held", value: { description: "Discovery call: wants SSO" } },
      ],
    },
  }),
  activity: curlOf(origin, capture, {
    body: {
      email: focus,
      type: "meeting_held",
      description: "Discovery call: wants SSO",
      external_id: "call-4711",
    },
  }),
  fact: curlOf(origin, recordObservations, {
    body: { focus, observations: [{ kind: "state", property: "budget_eur", value: 40_000, source: "call" }] },
  }),
  note: curlOf(origin, saveNote, {
    body: { focus, type: "meeting_notes", title: "Discovery call", content: "Anna wants SSO." },
  }),
});
