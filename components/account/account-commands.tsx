"use client";

import { useQuery } from "@tanstack/react-query";
import { Download, UserRound } from "lucide-react";
import { type Command, THIS_RECORD, useCommands } from "#components/frame/commands.ts";
import { memberName, membersOf } from "#components/records/members.ts";
import { beginAt, fits, pageVerbs } from "#components/records/record-verbs.ts";
import { isStage } from "#components/records/stages.ts";
import type { AccountPage } from "./account-page.ts";
import { exportAddressOf } from "./calls.ts";
import { ownerOf } from "./owner.ts";

type AccountCommandsProps = { page: AccountPage; hasLeads: boolean };

/** What can be done with the record in view, for the palette. The past can only be read. */
export function AccountCommands({ page, hasLeads }: AccountCommandsProps): null {
  const { data } = useQuery(membersOf(page.workspaceId));
  useCommands(
    page.moment === null
      ? [
          ...exports(page),
          ...[...acts(page, hasLeads), ...handovers(page, data?.members ?? [])].map((command) => ({
            ...command,
            writes: true,
          })),
        ]
      : [],
  );
  return null;
}

const acts = ({ account, changes, setPlace }: AccountPage, hasLeads: boolean): Command[] => {
  const stage = account.pipeline_stage;
  const record = { type: account.type, stage: isStage(stage) ? stage : null };
  return pageVerbs
    .filter((verb) => fits(verb, record) && (hasLeads || verb.id !== "list"))
    .map((verb) => ({
      id: `account-${verb.id}`,
      label: verb.label(account.name),
      icon: verb.icon,
      keywords: [...verb.words, ...(verb.more ?? [])],
      group: THIS_RECORD,
      run: () =>
        "stage" in verb ? void changes.setStage(verb.stage) : beginAt(verb.place, () => setPlace(verb.place)),
    }));
};

const exports = ({ workspaceId, id, account, isPerson, administers }: AccountPage): Command[] =>
  isPerson && administers
    ? [
        {
          id: "account-export",
          label: `Export all data about ${account.name}`,
          group: THIS_RECORD,
          icon: Download,
          keywords: ["download"],
          run: () => location.assign(exportAddressOf(workspaceId, id)),
        },
      ]
    : [];

type Member = { name: string | null; email: string };

const handovers = ({ account, changes: { setOwner } }: AccountPage, members: readonly Member[]): Command[] => {
  const owner = ownerOf(account);
  const to = (email: string | null, label: string): Command => ({
    id: `account-owner-${email ?? "none"}`,
    label,
    group: THIS_RECORD,
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
