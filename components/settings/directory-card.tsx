"use client";

import { TextLink } from "#components/auth/text-link.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { type Directory, useDirectory } from "./directory.ts";

type DirectoryCardProps = { workspaceId: string; initial: Directory };

/** How Okta, Entra ID or another directory manages the members. */
export function DirectoryCard({ workspaceId, initial }: DirectoryCardProps) {
  const query = useDirectory(workspaceId, initial);
  const { address, active, inactive, changed_at } = query.data;
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
    </Card>
  );
}
