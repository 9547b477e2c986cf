"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { leadsOfPerson } from "./calls.ts";
import { leadsId } from "./leads-kind.tsx";
import { outcomes, statuses } from "./looks.ts";
import { useLists } from "./use-lists.ts";

/** The lists that a person is in, beside their account; nothing when they are in none. */
export function PersonLists({ workspaceId, personId }: { workspaceId: string; personId: string }) {
  const query = useQuery({
    queryKey: [leadsId, workspaceId, "of", personId],
    queryFn: ({ signal }) => leadsOfPerson(workspaceId, personId, signal),
  });
  const leads = query.data?.leads ?? [];
  return leads.length > 0 ? <Lists workspaceId={workspaceId} leads={leads} /> : null;
}

type Leads = Awaited<ReturnType<typeof leadsOfPerson>>["leads"];

function Lists({ workspaceId, leads }: { workspaceId: string; leads: Leads }) {
  const { lists } = useLists(workspaceId);
  const names = new Map(lists.map(({ id, name }) => [id, name]));
  return (
    <Card>
      <CardHeader title="Lead lists" />
      <ul className="border-t py-1">
        {leads.map((lead) => (
          <li key={lead.id}>
            <Link
              href={`/${workspaceId}/leads/${lead.lead_list_id}`}
              prefetch={false}
              className="flex min-h-10 items-center gap-2.5 px-4 py-1.5 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate">{names.get(lead.lead_list_id) ?? "Lead list"}</span>
                <span className="block truncate text-muted-foreground text-sm">
                  {lead.sent_at ? (
                    <>
                      Sent <RelativeTime value={lead.sent_at} />
                    </>
                  ) : (
                    "Not sent"
                  )}
                </span>
              </span>
              {lead.reply_outcome ? (
                <Badge tone={outcomes[lead.reply_outcome].tone}>{outcomes[lead.reply_outcome].label}</Badge>
              ) : (
                <Badge tone={statuses[lead.status].tone}>{statuses[lead.status].label}</Badge>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
