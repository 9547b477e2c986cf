import type { NoteDate } from "#lib/domain/knowledge/notes/service.ts";
import type { Identifier } from "#lib/domain/records/entities/service.ts";
import type { Cell } from "./cells.ts";
import type { Plan } from "./plan.ts";
import { RowReader, type Understood } from "./row-reader.ts";

export type GivenNote = {
  /** null: only its id says whose it is */
  named: Identifier | null;
  /** of a note that Rapport exported */
  id: string | null;
  content: string;
  title: string | null;
  date: NoteDate | null;
  type: string | null;
};

/** A row that is a note. */
export function noteIn(plan: Plan, cells: readonly Cell[]): Understood<GivenNote> {
  const row = new RowReader(plan, cells);
  const named = row.subject();
  const title = row.one("title", 200);
  const content = row.one("content", 2_000_000);
  const label = title ?? named?.value ?? null;
  const id = row.one("note_id", 50);
  if (!named && id === null) {
    row.reasons.unshift({
      code: "no_identifier",
      message: "The row does not say which person or company the note is about.",
      column: null,
    });
    return { given: null, label, reasons: row.reasons };
  }
  if (content === null) {
    row.reasons.unshift({ code: "no_content", message: "The row has no text.", column: null });
    return { given: null, label, reasons: row.reasons };
  }
  return {
    given: { named, id, content, title, date: row.date("date"), type: row.one("type", 50) },
    label,
    reasons: row.reasons,
  };
}
