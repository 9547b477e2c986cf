import { Fragment } from "react";
import { TextLink } from "#components/auth/text-link.tsx";
import type { Belongings } from "#lib/domain/access/members/contract.ts";
import { ownedWords } from "./owned-words.ts";

type OwnedLinksProps = { workspaceId: string; email: string; owned: Belongings };

/** "12 people, 3 companies, 2 open tasks, 1 API key", each with the list of them where there is one. */
export function OwnedLinks({ workspaceId, email, owned }: OwnedLinksProps) {
  return ownedWords(owned, email).map(({ words, path }, index) => (
    <Fragment key={words}>
      {index > 0 ? ", " : null}
      {path === null ? words : <TextLink href={`/${workspaceId}${path}`}>{words}</TextLink>}
    </Fragment>
  ));
}
