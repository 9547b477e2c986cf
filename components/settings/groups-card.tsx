"use client";

import { type FormEvent, useState } from "react";
import { TextLink } from "#components/auth/text-link.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { DirectoryGroup } from "#lib/domain/access/directory/contract.ts";
import {
  type Directory,
  type GroupRole,
  useAddGroup,
  useDirectory,
  useFollowGroups,
  useRemoveGroup,
  useSetGroupRole,
} from "./directory.ts";
import { roleLabel, roleOptions } from "./role-options.ts";

type GroupsCardProps = { workspaceId: string; initial: Directory; isOwner: boolean };

/** Which role the groups of the company give, and the provider whose sign-ins follow them. */
export function GroupsCard({ workspaceId, initial, isOwner }: GroupsCardProps) {
  const { groups, sign_in } = useDirectory(workspaceId, initial).data;
  const hasProviders = sign_in.follows !== null || sign_in.providers.length > 0;
  return (
    <Card aria-labelledby="groups">
      <CardHeader
        titleId="groups"
        title="Groups"
        description="Your company's groups give roles. Someone in several groups gets the highest."
        actions={isOwner ? <Following workspaceId={workspaceId} signIn={sign_in} /> : null}
      />
      <CardBody className="flex flex-col gap-3">
        <p className="max-w-prose text-pretty text-muted-foreground text-sm">
          {howGroupsCome(sign_in)} The guide says{" "}
          <TextLink href="/docs/guide/single-sign-on#members-by-their-groups">how it works</TextLink>.
        </p>
      </CardBody>
      {groups.length > 0 ? (
        <ul aria-label="Groups that give roles">
          {groups.map((group) => (
            <GroupRow key={group.id} workspaceId={workspaceId} group={group} />
          ))}
        </ul>
      ) : null}
      {hasProviders ? <AddGroup workspaceId={workspaceId} /> : null}
    </Card>
  );
}

function howGroupsCome({ follows, may_follow, providers }: Directory["sign_in"]): string {
  if (follows)
    return `People who sign in with ${follows} become members when one of their groups has a role, and are removed when none has.`;
  if (may_follow) return `The directory sends its groups by SCIM. Those of ${may_follow.name} can add members too.`;
  if (providers.length > 0)
    return `The directory sends its groups by SCIM. Sign in with ${providers.map(({ name }) => name).join(" or ")} to let its groups add members too.`;
  return "They appear here when the directory sends them by SCIM.";
}

function Following({ workspaceId, signIn }: { workspaceId: string; signIn: Directory["sign_in"] }) {
  const follow = useFollowGroups(workspaceId);
  const { follows, may_follow } = signIn;
  if (!follows && !may_follow) return null;

  async function change() {
    try {
      await follow.mutateAsync(follows ? null : (may_follow?.id ?? null));
      toast.success(
        follows
          ? `The groups of ${follows} no longer add members.`
          : `The groups of ${may_follow?.name} add members now.`,
      );
    } catch (error) {
      toast.error(failureOf(error));
    }
  }

  return (
    <Button loading={follow.isPending} onClick={() => void change()}>
      {follows ? `Stop following ${follows}` : `Follow ${may_follow?.name}`}
    </Button>
  );
}

const NONE = "none";
const roles = roleOptions("admin");
const choices = [
  { value: NONE, label: "No role", description: "Being in this group changes nothing." },
  ...roles,
] as const;

function GroupRow({ workspaceId, group }: { workspaceId: string; group: DirectoryGroup }) {
  const change = useSetGroupRole(workspaceId);
  const remove = useRemoveGroup(workspaceId);
  const role = change.isPending ? change.variables.role : group.role;

  async function setRole(next: GroupRole) {
    try {
      await change.mutateAsync({ id: group.id, role: next });
      toast.success(next ? `${group.name} gives the role ${roleLabel(next)}.` : `${group.name} gives no role.`);
    } catch (error) {
      toast.error(failureOf(error));
    }
  }

  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t px-4 py-2">
      <div className="min-w-40 flex-1">
        <p className="wrap-anywhere">{group.name}</p>
        <p className="text-muted-foreground text-sm">{sizeOf(group)}</p>
      </div>
      <div className="flex items-center gap-2">
        <Select
          aria-label={`Role of ${group.name}`}
          size="sm"
          className="w-28"
          options={choices}
          value={role ?? NONE}
          onValueChange={(next) => void setRole(next === NONE ? null : (next as GroupRole))}
        />
        {group.members === null ? (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Remove ${group.name}`}
            loading={remove.isPending}
            onClick={() => void remove.mutateAsync(group.id).catch((error) => toast.error(failureOf(error)))}
          >
            Remove
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function sizeOf({ members }: DirectoryGroup): string {
  if (members === null) return "Added by hand, for sign-ins";
  return members === 1 ? "1 person" : `${numeral(members)} people`;
}

function AddGroup({ workspaceId }: { workspaceId: string }) {
  const add = useAddGroup(workspaceId);
  const [name, setName] = useState("");
  const [role, setRole] = useState<NonNullable<GroupRole>>("member");
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === "") return setProblem("Enter the name of a group.");
    setProblem(null);
    try {
      await add.mutateAsync({ name, role });
      setName("");
    } catch (error) {
      setProblem(failureOf(error));
    }
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-wrap items-start gap-3 border-t px-4 py-3">
      <Field
        label="Add a group"
        hint="As the provider names it in its ID tokens: a name, or the object id of Entra ID."
        error={problem ?? undefined}
        className="min-w-60 flex-1"
      >
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Role" className="w-28">
        <Select options={roles} value={role} onValueChange={(next) => setRole(next as NonNullable<GroupRole>)} />
      </Field>
      <Button type="submit" loading={add.isPending} className="mt-6">
        Add group
      </Button>
    </form>
  );
}
