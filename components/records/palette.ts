import { Building2, FileText, Mail, User } from "lucide-react";
import { exportAddressOf } from "#components/account/calls.ts";
import { callOperation } from "#components/api.ts";
import { type Command, readsOnly } from "#components/frame/commands.ts";
import { threadPath } from "#components/mail/thread-path.ts";
import { noteCallsOf } from "#components/notes/calls.ts";
import { noteTitle } from "#components/notes/note-types.ts";
import { patchCompany, patchPerson } from "#components/operations/people.ts";
import { toastWithUndo } from "#components/ui/toaster.tsx";
import { roleIncludes, type roles } from "#lib/core/plans.ts";
import { memberName, membersOf } from "./members.ts";
import { moveWithUndo } from "./moved.ts";
import { beginAt, fits, hasWords, shorterTexts, verbIn } from "./record-verbs.ts";
import { type FoundRecord, searchRecords } from "./search-records.ts";
import type { Stage } from "./stages.ts";
import { toastProblem } from "./toast-problem.ts";

type Go = (href: string, what: string) => void;

/** Who asks, where. */
type PaletteUser = { workspaceId: string; email: string; go: Go };

/**
 * Finds people, companies and notes for the command palette; each opens its page. A text that begins with a verb, such as
 * "log lena tanaka", also offers to do that with whom it names.
 */
export async function findRecords(asked: PaletteUser, text: string, signal: AbortSignal): Promise<readonly Command[]> {
  const { workspaceId, go } = asked;
  const [actions, people, companies, notes] = await Promise.allSettled([
    findActions(asked, text, signal),
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
      group: note.thread_id ? "Mail" : "Notes",
      icon: note.thread_id ? Mail : FileText,
      run: () =>
        go(
          note.thread_id
            ? threadPath(workspaceId, note.entity_id, note.thread_id)
            : `/${workspaceId}/accounts/${note.entity_id}?tab=notes&note=${note.id}`,
          noteTitle(note.title, note.type),
        ),
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

async function findActions(asked: PaletteUser, text: string, signal: AbortSignal): Promise<Command[]> {
  const order = verbIn(text);
  if (!order || readsOnly()) return [];
  const { workspaceId } = asked;
  const needsMembers = order.meant.some((verb) => "does" in verb);
  const [people, companies, members] = await Promise.all([
    searchRecords(workspaceId, "person", order.name, 3, signal),
    searchRecords(workspaceId, "company", order.name, 2, signal),
    needsMembers ? membersOf(workspaceId).queryFn({ signal }) : null,
  ]);
  const team = members?.members ?? [];
  const mine = team.find(({ email }) => email === asked.email);
  const administers = mine !== undefined && roleIncludes(mine.role, "admin");
  return [...people, ...companies].flatMap((record) =>
    order.meant
      .filter((verb) => fits(verb, record) && (verb.id !== "export" || administers))
      .flatMap((verb) => {
        const command = (id: string, label: string, run: () => void): Command => ({
          ...{ id: `act-${id}-${record.id}`, label, detail: record.detail, group: "Actions", icon: verb.icon, run },
        });
        const label = verb.label(record.name);
        if ("stage" in verb) return command(verb.id, label, () => void move(workspaceId, record, verb.stage));
        if ("place" in verb) {
          const href = `/${workspaceId}/accounts/${record.id}?${new URLSearchParams(verb.place)}`;
          return command(verb.id, label, () => beginAt(verb.place, () => asked.go(href, label)));
        }
        if (verb.does === "export")
          return command(verb.id, label, () => location.assign(exportAddressOf(workspaceId, record.id)));
        return ownersFor(team, asked.email, order.to).map((member) =>
          command(
            `${verb.id}-${member.email}`,
            member === mine ? label : `Make ${memberName(member)} the owner of ${record.name}`,
            () => void handOver(workspaceId, record, member.email),
          ),
        );
      }),
  );
}

/** Who could own a record: the reader first, or those whose name or address holds what was typed. */
function ownersFor(team: readonly TeamMember[], reader: string, named = ""): readonly TeamMember[] {
  const isReader = ({ email }: TeamMember) => email === reader;
  const meant =
    named === "me" ? team.filter(isReader) : team.filter((each) => hasWords(lineOf(each), named.split(" ")));
  return meant.toSorted((a, b) => Number(isReader(b)) - Number(isReader(a))).slice(0, MOST_OWNERS);
}

type TeamMember = { name: string | null; email: string; role: (typeof roles)[number] };
const lineOf = ({ name, email }: TeamMember): string => `${name ?? ""} ${email}`;
const MOST_OWNERS = 3;

/** Pages that show the person are told by the live updates. */
const move = (workspaceId: string, { id, name, stage: before }: FoundRecord, stage: Stage): Promise<void> =>
  moveWithUndo({
    ...{ name, before, stage },
    set: (to) => tried(() => callOperation(patchPerson, workspaceId, { focus: id, pipeline_stage: to })),
  });

async function handOver(workspaceId: string, { id, type, name, owner = null }: FoundRecord, to: string): Promise<void> {
  const set = (owner: string | null) =>
    tried(() =>
      type === "company"
        ? callOperation(patchCompany, workspaceId, { focus: id, owner })
        : callOperation(patchPerson, workspaceId, { focus: id, owner }),
    );
  if (await set(to)) toastWithUndo(`${to} owns ${name} now`, async () => void (await set(owner)));
}

/** Reports a failure; false: it did not happen. */
async function tried(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toastProblem(error);
    return false;
  }
}
