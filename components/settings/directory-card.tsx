"use client";

import { TextLink } from "#components/auth/text-link.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { DirectoryGroup } from "#lib/domain/access/directory/contract.ts";
import { type Directory, type GroupRole, useDirectory, useSetGroupRole } from "./directory.ts";
import { roleLabel, roleOptions } from "./role-options.ts";

type DirectoryCardProps = { workspaceId: string; initial: Directory };

/** How Okta, Entra ID or another directory manages the members, and which role its groups give. */
export function DirectoryCard({ workspaceId, initial }: DirectoryCardProps) {
  const query = useDirectory(workspaceId, initial);
  const { address, active, inactive, changed_at, groups } = query.data;
  return (
    <Card aria-labelledby="directory">
      <CardHeader
        titleId="directory"
        title="Directory"
        description="Okta, Entra ID or another directory adds and removes members by SCIM 2.0."
      />
      <LoadProblem title="This may be out of date" query={query} className="border-t" />
      <CardBody className="flex flex-col gap-3">
        <CodeBlock
          title="SCIM address"
          code={useHydrated() ? new URL(address, window.location.origin).href : address}
          wrap
        />
        <p className="max-w-prose text-pretty text-muted-foreground text-sm">
          Give your directory this address and an API key with the access Directory, which an owner creates on{" "}
          <TextLink href={`/${workspaceId}/api-keys`}>API keys</TextLink>. The guide says{" "}
          <TextLink href="/docs/guide/security#members-from-your-directory-scim">how to set it up</TextLink>.
        </p>
        {changed_at === null ? null : (
          <p className="text-sm">
            {numeral(active)} active, {numeral(inactive)} deactivated · changed <RelativeTime value={changed_at} />
          </p>
        )}
      </CardBody>
      {groups.length > 0 ? (
        <ul aria-label="Groups of the directory">
          {groups.map((group) => (
            <GroupRow key={group.id} workspaceId={workspaceId} group={group} />
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

const NONE = "none";
const choices = [
  { value: NONE, label: "No role", description: "Being in this group changes nothing." },
  ...roleOptions("admin"),
] as const;

function GroupRow({ workspaceId, group }: { workspaceId: string; group: DirectoryGroup }) {
  const change = useSetGroupRole(workspaceId);
  const role = change.isPending ? change.variables.role : group.role;

  async function setRole(next: GroupRole) {
    try {
      await change.mutateAsync({ id: group.id, role: next });
      toast.success(next ? `${group.name} gives the role ${roleLabel(next)}.` : `${group.name} gives no role.`);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "That did not work. Try again.");
    }
  }

  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t px-4 py-2">
      <div className="min-w-40 flex-1">
        <p className="wrap-anywhere">{group.name}</p>
        <p className="text-muted-foreground text-sm">
          {group.members === 1 ? "1 person" : `${numeral(group.members)} people`}
        </p>
      </div>
      <Select
        aria-label={`Role of ${group.name}`}
        size="sm"
        className="w-28"
        options={choices}
        value={role ?? NONE}
        onValueChange={(next) => void setRole(next === NONE ? null : (next as GroupRole))}
      />
    </li>
  );
}
