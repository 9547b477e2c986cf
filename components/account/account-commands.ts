import { useQuery } from "@tanstack/react-query";
import { ArrowRightLeft, Download, FilePlus, ListPlus, ListTodo, Merge, PencilLine, UserRound } from "lucide-react";
import { type Command, useCommands } from "#components/frame/commands.ts";
import { memberName, membersOf } from "#components/records/members.ts";
import { stageLabels, stages } from "#components/records/stages.ts";
import type { AccountPage } from "./account-page.ts";
import { exportAddressOf } from "./calls.ts";
import { ownerOf } from "./owner.ts";

const GROUP = "This record";

/** What can be done with the record in view, for the palette and the keys. The past can only be read. */
export function useAccountCommands(page: AccountPage, onTask: () => void, hasLeads: boolean): void {
  const { data } = useQuery(membersOf(page.workspaceId));
  useCommands(
    page.moment === null
      ? [
          ...additions(page, onTask),
          ...changes(page, hasLeads),
          ...moves(page),
          ...handovers(page, data?.members ?? []),
        ]
      : [],
  );
}

const additions = ({ account: { name }, setPlace }: AccountPage, onTask: () => void): Command[] => [
  {
    id: "account-note",
    label: `Add a note on ${name}`,
    group: "Create",
    icon: FilePlus,
    keys: "n",
    keywords: ["new", "note"],
    run: () => setPlace({ open: "new-note" }),
  },
  {
    id: "account-task",
    label: `Add a task about ${name}`,
    group: "Create",
    icon: ListTodo,
    keys: "t",
    keywords: ["new", "to do", "reminder"],
    run: onTask,
  },
  {
    id: "account-activity",
    label: `Log an activity with ${name}`,
    group: "Create",
    icon: ListPlus,
    keys: "l",
    keywords: ["new", "call", "meeting", "e-mail", "message"],
    run: () => setPlace({ open: "log-activity" }),
  },
];

function changes({ workspaceId, id, account, isPerson, administers, setPlace }: AccountPage, hasLeads: boolean) {
  const { name } = account;
  const commands: Command[] = [
    {
      id: "account-correct",
      label: `Correct a fact about ${name}`,
      group: GROUP,
      icon: PencilLine,
      keywords: ["edit", "change", "wrong", "facts"],
      run: () => setPlace({ tab: "facts" }),
    },
    {
      id: "account-merge",
      label: `Merge ${name} with…`,
      group: GROUP,
      icon: Merge,
      keywords: ["duplicate", "same"],
      run: () => setPlace({ open: "merge" }),
    },
  ];
  if (isPerson && hasLeads)
    commands.push({
      id: "account-list",
      label: `Add ${name} to a list`,
      group: GROUP,
      icon: ListPlus,
      keywords: ["lead"],
      run: () => setPlace({ open: "add-to-list" }),
    });
  if (isPerson && administers)
    commands.push({
      id: "account-export",
      label: `Export everything known about ${name}`,
      group: GROUP,
      icon: Download,
      keywords: ["download"],
      run: () => location.assign(exportAddressOf(workspaceId, id)),
    });
  return commands;
}

const moves = ({ account, isPerson, changes: { setStage } }: AccountPage): Command[] =>
  isPerson
    ? stages
        .filter((stage) => stage !== account.pipeline_stage)
        .map((stage) => ({
          id: `account-stage-${stage}`,
          label: `Move ${account.name} to ${stageLabels[stage]}`,
          group: GROUP,
          icon: ArrowRightLeft,
          keywords: ["stage"],
          run: () => void setStage(stage),
        }))
    : [];

type Member = { name: string | null; email: string };

const handovers = ({ account, changes: { setOwner } }: AccountPage, members: readonly Member[]): Command[] => {
  const owner = ownerOf(account);
  const to = (email: string | null, label: string): Command => ({
    id: `account-owner-${email ?? "none"}`,
    label,
    group: GROUP,
    icon: UserRound,
    keywords: ["owner", "assign"],
    run: () => void setOwner(email),
  });
  return [
    ...members
      .filter(({ email }) => email !== owner)
      .map((member) => to(member.email, `Make ${memberName(member)} the owner of ${account.name}`)),
    ...(owner === null ? [] : [to(null, `Leave ${account.name} without an owner`)]),
  ];
};
