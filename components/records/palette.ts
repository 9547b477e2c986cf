import { Building2, FileText, User } from "lucide-react";
import { callOperation } from "#components/api.ts";
import type { Command } from "#components/frame/commands.ts";
import { noteCallsOf } from "#components/notes/calls.ts";
import { noteTitle } from "#components/notes/note-types.ts";
import { patchPerson } from "#components/operations/people.ts";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import { problemOf } from "./problem.ts";
import { fits, hasWords, shorterTexts, verbIn } from "./record-verbs.ts";
import { type FoundRecord, searchRecords } from "./search-records.ts";
import { type Stage, stageLabels } from "./stages.ts";

type Go = (href: string, what: string) => void;

/**
 * Finds people, companies and notes for the command palette; each opens its page. A text that begins with a verb, such as
 * "log lena tanaka", also offers to do that with whom it names.
 */
export async function findRecords(
  workspaceId: string,
  text: string,
  signal: AbortSignal,
  go: Go,
): Promise<readonly Command[]> {
  const [actions, people, companies, notes] = await Promise.allSettled([
    findActions(workspaceId, text, signal, go),
    findPeople(workspaceId, text, signal),
    searchRecords(workspaceId, "company", text, 4, signal),
    noteCallsOf(workspaceId).search(text, {}, signal),
  ]);
  const records = [people, companies].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const documents = notes.status === "fulfilled" ? notes.value.documents.slice(0, 4) : [];
  return [
    ...(actions.status === "fulfilled" ? actions.value : []),
    ...records.map(({ id, type, name, detail }) => ({
      id: `record-${id}`,
      label: name,
      detail,
      group: type === "person" ? "People" : "Companies",
      icon: type === "person" ? User : Building2,
      run: () => go(`/${workspaceId}/accounts/${id}`, name),
    })),
    ...documents.map((note) => ({
      id: `note-${note.id}`,
      label: noteTitle(note.title, note.type),
      detail: note.snippet,
      group: "Notes",
      icon: FileText,
      run: () =>
        go(`/${workspaceId}/accounts/${note.entity_id}?tab=notes&note=${note.id}`, noteTitle(note.title, note.type)),
    })),
  ];
}

/** People by name, and when there are none, by a part of the text with the rest in the title or company. */
async function findPeople(workspaceId: string, text: string, signal: AbortSignal): Promise<readonly FoundRecord[]> {
  const people = await searchRecords(workspaceId, "person", text, 5, signal);
  if (people.length > 0) return people;
  for (const { name, left } of shorterTexts(text)) {
    const candidates = await searchRecords(workspaceId, "person", name, 20, signal);
    const matches = candidates.filter((person) => hasWords(`${person.name} ${person.detail}`, left));
    if (matches.length > 0) return matches.slice(0, 5);
  }
  return [];
}

async function findActions(workspaceId: string, text: string, signal: AbortSignal, go: Go): Promise<Command[]> {
  const order = verbIn(text);
  if (!order) return [];
  const [people, companies] = await Promise.all([
    searchRecords(workspaceId, "person", order.name, 3, signal),
    searchRecords(workspaceId, "company", order.name, 2, signal),
  ]);
  return [...people, ...companies].flatMap((record) =>
    order.meant
      .filter((verb) => fits(verb, record))
      .map((verb) => ({
        id: `act-${verb.id}-${record.id}`,
        label: verb.label(record.name),
        detail: record.detail,
        group: "Actions",
        icon: verb.icon,
        run: () =>
          "stage" in verb
            ? void move(workspaceId, record, verb.stage)
            : go(`/${workspaceId}/accounts/${record.id}?${new URLSearchParams(verb.place)}`, verb.label(record.name)),
      })),
  );
}

/** Pages that show the person are told by the live updates. */
async function move(workspaceId: string, { id, name, stage: before }: FoundRecord, stage: Stage): Promise<void> {
  const set = async (to: Stage): Promise<boolean> => {
    try {
      await callOperation(patchPerson, workspaceId, { focus: id, pipeline_stage: to });
      return true;
    } catch (error) {
      toast.error(problemOf(error).message);
      return false;
    }
  };
  if (await set(stage))
    toastWithUndo(`${name} moved to ${stageLabels[stage]}`, async () => void (before && (await set(before))));
}
