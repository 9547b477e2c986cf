"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { callOperation } from "#components/api.ts";
import { getRelationships } from "#components/operations/relationships.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { counted } from "#components/ui/numbers.ts";
import type { Relationship } from "#lib/domain/knowledge/relationships/contract.ts";
import type { Closeness } from "#lib/domain/knowledge/relationships/words.ts";
import { accountKey } from "./calls.ts";

const looks = {
  strong: { label: "Strong", tone: "accent" },
  medium: { label: "Medium", tone: "neutral" },
  weak: { label: "Weak", tone: "outline" },
} as const satisfies Record<Closeness, object>;

type KnownByProps = { workspaceId: string; id: string };

/** The members who know a person, or people at a company; renders nothing when there are none. */
export function KnownBy({ workspaceId, id }: KnownByProps) {
  const query = useQuery({
    queryKey: [...accountKey(workspaceId, id), "relationships"],
    queryFn: ({ signal }) => callOperation(getRelationships, workspaceId, { focus: id }, { signal }),
  });
  const known = query.data && "known_by" in query.data ? query.data.known_by : [];
  if (query.error && known.length === 0)
    return <LoadProblem card title="Who knows them could not be loaded" query={query} />;
  if (known.length === 0) return null;
  return (
    <Card>
      <CardHeader title="Who knows them" />
      <ul className="border-t py-1">
        {known.map((one) => (
          <li key={one.member.user_id} className="flex min-h-10 items-center gap-2.5 px-4 py-1.5">
            <Avatar name={nameOf(one)} />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{nameOf(one)}</span>
              <Detail workspaceId={workspaceId} id={id} known={one} />
            </span>
            <Badge tone={looks[one.closeness].tone}>{looks[one.closeness].label}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const nameOf = ({ member }: Relationship): string => member.name ?? member.email;

/** How much there was and when the last of it; of a company also whom they know best. */
function Detail({ workspaceId, id, known }: KnownByProps & { known: Relationship }) {
  const { sent, received, meetings, people, closest, last_at: lastAt } = known;
  const counts = [
    sent > 0 ? `${sent} sent` : null,
    received > 0 ? `${received} received` : null,
    meetings > 0 ? counted(meetings, "meeting") : null,
  ].filter(Boolean);
  return (
    <span className="block text-muted-foreground text-sm">
      {counts.join(", ")} · <RelativeTime value={lastAt} />
      {closest.entity_id === id ? null : (
        <span className="block truncate">
          <Link
            href={`/${workspaceId}/accounts/${closest.entity_id}`}
            prefetch={false}
            className="text-primary-text hover:underline"
          >
            {closest.name}
          </Link>
          {people > 1 ? ` and ${people - 1} more` : null}
        </span>
      )}
    </span>
  );
}
