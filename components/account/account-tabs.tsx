"use client";

import { cn } from "#components/ui/cn.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import type { AccountPage, AccountViewProps } from "./account-page.ts";
import { tabs } from "./address.ts";
import type { examplesFor } from "./examples.ts";
import { isWithin } from "./moment.ts";
import { Timeline } from "./timeline.tsx";

const loading = (
  <Loading label="Loading">
    <SkeletonText lines={8} />
  </Loading>
);

const AgentContext = onDemand(
  "What agents see",
  () => import("./agent-context.tsx").then((module) => module.AgentContext),
  { loading },
);

const Facts = onDemand("The facts", () => import("./facts.tsx").then((module) => module.Facts), { loading });

const NotesOn = onDemand("Notes", () => import("#components/notes/notes-on.tsx").then((module) => module.NotesOn), {
  loading,
});

const Threads = onDemand("Mail", () => import("#components/mail/threads.tsx").then((module) => module.Threads), {
  loading,
});

const Meetings = onDemand(
  "Meetings",
  () => import("#components/calendars/meetings.tsx").then((module) => module.Meetings),
  { loading },
);

const labels = {
  timeline: "Timeline",
  facts: "Facts",
  notes: "Notes",
  mail: "Mail",
  meetings: "Meetings",
  agents: "What agents see",
} as const;

type AccountTabsProps = {
  page: AccountPage;
  timeline: AccountViewProps["timeline"];
  examples: ReturnType<typeof examplesFor>;
  className: string;
};

export function AccountTabs({ page, timeline, examples, className }: AccountTabsProps) {
  const { workspaceId, id, account, calls, changes, facts, moment, place, setPlace } = page;
  return (
    <Tabs
      value={place.tab}
      onValueChange={(tab) => setPlace({ tab: tabs.find((each) => each === tab) ?? "timeline" })}
      className={cn("min-w-0", className, page.record.isPlaceholderData && "opacity-60")}
    >
      {/* To the edges of a narrow screen, where the next tab shows that there are more. */}
      <TabsList className="-mx-4 px-4 md:mx-0 md:px-0.5">
        {tabs.map((tab) => (
          <TabsTrigger key={tab} value={tab}>
            {labels[tab]}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="timeline">
        <Timeline
          workspaceId={workspaceId}
          id={id}
          calls={calls}
          moment={moment}
          first={timeline}
          type={place.type}
          onType={(type) => setPlace({ type })}
          example={examples.event}
          refresh={changes.refresh}
        />
      </TabsContent>
      <TabsContent value="facts">
        <Facts
          workspaceId={workspaceId}
          account={account}
          past={moment !== null}
          changes={facts}
          onAdd={() => setPlace({ open: "new-fact" })}
          onOpen={(fact) => setPlace({ fact })}
          onConfirm={changes.confirm}
          example={examples.fact}
        />
      </TabsContent>
      <TabsContent value="notes">
        <NotesOn
          workspaceId={workspaceId}
          focus={id}
          {...(moment
            ? { accepts: ({ date, created_at }) => isWithin(moment, date, created_at) }
            : { onAdd: () => setPlace({ open: "new-note" }) })}
          onOpen={(note) => setPlace({ note })}
          example={examples.note}
        />
      </TabsContent>
      <TabsContent value="mail">
        <Threads workspaceId={workspaceId} id={id} isPerson={page.isPerson} name={account.name} opened={place.thread} />
      </TabsContent>
      <TabsContent value="meetings">
        <Meetings workspaceId={workspaceId} id={id} />
      </TabsContent>
      <TabsContent value="agents">
        <AgentContext workspaceId={workspaceId} id={id} calls={calls} moment={moment} />
      </TabsContent>
    </Tabs>
  );
}
