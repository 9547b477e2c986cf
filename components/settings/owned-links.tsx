import { Fragment } from "react";
import { TextLink } from "#components/auth/text-link.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { Belongings } from "#lib/domain/access/members/contract.ts";

type OwnedLinksProps = { workspaceId: string; email: string; owned: Belongings };

/** "12 people, 3 companies, 2 open tasks, 1 API key", each with the list of them where there is one. */
export function OwnedLinks({ workspaceId, email, owned }: OwnedLinksProps) {
  const owner = new URLSearchParams({ owner: email });
  const parts = [
    { count: owned.people, one: "person", many: "people", path: `/people?${owner}` },
    { count: owned.companies, one: "company", many: "companies", path: `/companies?${owner}` },
    { count: owned.tasks, one: "open task", many: "open tasks", path: null },
    { count: owned.api_keys, one: "API key", many: "API keys", path: "/api-keys" },
  ].filter(({ count }) => count > 0);
  return parts.map(({ count, one, many, path }, index) => {
    const words = `${numeral(count)} ${count === 1 ? one : many}`;
    return (
      <Fragment key={one}>
        {index > 0 ? ", " : null}
        {path === null ? words : <TextLink href={`/${workspaceId}${path}`}>{words}</TextLink>}
      </Fragment>
    );
  });
}
