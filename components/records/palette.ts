import { Building2, FileText, User } from "lucide-react";
import type { Command } from "#components/frame/commands.ts";
import { noteCallsOf } from "#components/notes/calls.ts";
import { noteTitle } from "#components/notes/note-types.ts";
import { searchRecords } from "./search-records.ts";

/** Finds people, companies and notes for the command palette; each opens its page. */
export async function findRecords(
  workspaceId: string,
  text: string,
  signal: AbortSignal,
  go: (href: string, what: string) => void,
): Promise<readonly Command[]> {
  const [people, companies, notes] = await Promise.allSettled([
    searchRecords(workspaceId, "person", text, 5, signal),
    searchRecords(workspaceId, "company", text, 4, signal),
    noteCallsOf(workspaceId).search(text, {}, signal),
  ]);
  const records = [people, companies].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const found = notes.status === "fulfilled" ? notes.value.documents.slice(0, 4) : [];
  return [
    ...records.map(({ id, type, name, detail }) => ({
      id: `record-${id}`,
      label: name,
      detail,
      group: type === "person" ? "People" : "Companies",
      icon: type === "person" ? User : Building2,
      run: () => go(`/${workspaceId}/accounts/${id}`, name),
    })),
    ...found.map((note) => ({
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
