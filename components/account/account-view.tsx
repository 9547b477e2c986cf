"use client";

import { FilePlus, ListPlus } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useMemo, useState } from "react";
import { useCommands } from "#components/frame/commands.ts";
import { useBelongsTo } from "#components/frame/here.ts";
import { NotesOn } from "#components/notes/notes-on.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { tabs } from "./address.ts";
import { AsOf, PastBanner } from "./as-of.tsx";
import { type Account, exportAddressOf, type TimelinePage } from "./calls.ts";
import { examplesFor } from "./examples.ts";
import { Facts } from "./facts.tsx";
import { IcpBadge } from "./icp.tsx";
import { Identifiers } from "./identifiers.tsx";
import { isWithin, momentOf } from "./moment.ts";
import { Related } from "./related.tsx";
import { StageStepper } from "./stage-stepper.tsx";
import { Timeline } from "./timeline.tsx";
import { type FirstAccount, useAccount } from "./use-account.ts";
import { useChanges } from "./use-changes.ts";
import { useAccountPlace } from "./use-place.ts";
import { valueWords } from "./value-words.ts";

const FactSheet = dynamic(() => import("./fact-sheet.tsx").then((module) => module.FactSheet), { ssr: false });
const MergeDialog = dynamic(() => import("./merge-dialog.tsx").then((module) => module.MergeDialog), { ssr: false });
const EraseDialog = dynamic(() => import("./erase-dialog.tsx").then((module) => module.EraseDialog), { ssr: false });
const AgentContext = dynamic(() => import("./agent-context.tsx").then((module) => module.AgentContext), { ssr: false });
const NoteSheet = dynamic(() => import("#components/notes/note-sheet.tsx").then((module) => module.NoteSheet), {
  ssr: false,
});
const AddNoteDialog = dynamic(
  () => import("#components/notes/add-note-dialog.tsx").then((module) => module.AddNoteDialog),
  { ssr: false },
);
const LogActivityDialog = dynamic(
  () => import("./log-activity-dialog.tsx").then((module) => module.LogActivityDialog),
  {
    ssr: false,
  },
);

export type AccountViewProps = {
  workspaceId: string;
  origin: string;
  first: FirstAccount;
  timeline: { page: TimelinePage; readAt: number };
  /** The reader may erase and export people. */
  administers: boolean;
};

const tabLabels = { timeline: "Timeline", facts: "Facts", notes: "Notes", agents: "What agents see" } as const;

/** Everything known about a person or company, now or as of a day. */
export function AccountView({ workspaceId, origin, first, timeline, administers }: AccountViewProps) {
  const id = first.account.entity_id;
  const [place, setPlace] = useAccountPlace();
  const [openedAt] = useState(first.readAt);
  const moment = useMemo(
    () => momentOf({ as_of: place.as_of, by: place.by }, openedAt),
    [place.as_of, place.by, openedAt],
  );
  const record = useAccount(workspaceId, id, moment, first);
  const account = record.data ?? first.account;
  const changes = useChanges({ workspaceId, account, calls: record.calls });
  const examples = examplesFor(origin, account.identifiers[0]?.value ?? id);
  const isNow = moment === null;
  const isPerson = account.type === "person";
  const list = account.type === "company" ? "companies" : "people";
  useBelongsTo(list);

  useCommands(
    isNow
      ? [
          {
            id: "account-note",
            label: `Add a note on ${account.name}`,
            group: "Create",
            icon: FilePlus,
            keys: "n",
            keywords: ["new", "note"],
            run: () => void setPlace({ open: "new-note" }),
          },
          ...(isPerson
            ? [
                {
                  id: "account-activity",
                  label: `Log an activity with ${account.name}`,
                  group: "Create",
                  icon: ListPlus,
                  keys: "l",
                  keywords: ["new", "call", "meeting", "e-mail", "message"],
                  run: () => void setPlace({ open: "log-activity" }),
                },
              ]
            : []),
        ]
      : [],
  );

  return (
    <>
      <PageHeader
        breadcrumbs={[
          { label: account.type === "company" ? "Companies" : "People", href: `/${workspaceId}/${list}` },
          { label: account.name },
        ]}
        title={
          <span className="flex items-center gap-2.5">
            <Avatar name={account.name} square={account.type === "company"} size="lg" />
            <span className="wrap-anywhere">{account.name}</span>
          </span>
        }
        aside={
          <>
            {account.icp ? <IcpBadge icp={account.icp} onOpen={() => void setPlace({ fact: "icp_score" })} /> : null}
            {account.status === "archived" ? <Badge>Archived</Badge> : null}
          </>
        }
        description={<Subtitle workspaceId={workspaceId} account={account} />}
        actions={
          <>
            <AsOf
              moment={moment}
              onMoment={(day, by) => void setPlace({ as_of: day, by: day && by === "known" ? "known" : null })}
            />
            {isNow ? (
              <>
                {isPerson ? (
                  <Button aria-haspopup="dialog" onClick={() => void setPlace({ open: "log-activity" })}>
                    <ListPlus aria-hidden="true" /> Log activity
                  </Button>
                ) : null}
                <Button variant="primary" onClick={() => void setPlace({ open: "new-note" })}>
                  <FilePlus aria-hidden="true" /> Add note
                </Button>
                <AccountMenu
                  archived={account.status === "archived"}
                  onMerge={() => void setPlace({ open: "merge" })}
                  onArchived={(archived) => void changes.setArchived(archived)}
                  {...(isPerson && administers
                    ? {
                        privacy: {
                          exportAddress: exportAddressOf(workspaceId, id),
                          onErase: () => void setPlace({ open: "erase" }),
                        },
                      }
                    : {})}
                />
              </>
            ) : null}
          </>
        }
      />
      {moment ? <PastBanner moment={moment} onNow={() => void setPlace({ as_of: null, by: null })} /> : null}
      <LoadProblem card title="What you see may be out of date" query={record} />
      {isPerson ? (
        <StageStepper
          stage={account.pipeline_stage}
          onStage={isNow ? (stage) => void changes.setStage(stage) : undefined}
        />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Tabs
          value={place.tab}
          onValueChange={(tab) => void setPlace({ tab: tabs.find((each) => each === tab) ?? "timeline" })}
          className={record.isPlaceholderData ? "min-w-0 opacity-60" : "min-w-0"}
        >
          <TabsList>
            {tabs.map((tab) => (
              <TabsTrigger key={tab} value={tab}>
                {tabLabels[tab]}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value="timeline">
            <Timeline
              workspaceId={workspaceId}
              id={id}
              calls={record.calls}
              moment={moment}
              first={timeline}
              type={place.type}
              onType={(type) => void setPlace({ type })}
              example={examples.event}
            />
          </TabsContent>
          <TabsContent value="facts">
            <Facts account={account} past={!isNow} onOpen={(fact) => void setPlace({ fact })} example={examples.fact} />
          </TabsContent>
          <TabsContent value="notes">
            <NotesOn
              workspaceId={workspaceId}
              focus={id}
              {...(moment
                ? { accepts: ({ date, created_at }) => isWithin(moment, date, created_at) }
                : { onAdd: () => void setPlace({ open: "new-note" }) })}
              onOpen={(note) => void setPlace({ note })}
              example={examples.note}
            />
          </TabsContent>
          <TabsContent value="agents">
            <AgentContext workspaceId={workspaceId} id={id} calls={record.calls} moment={moment} />
          </TabsContent>
        </Tabs>
        <aside aria-label="Details" className="flex flex-col gap-4">
          <Card>
            <CardHeader title="Known by" />
            <CardBody className="py-1.5">
              <Identifiers identifiers={account.identifiers} entityId={id} />
            </CardBody>
          </Card>
          <Related workspaceId={workspaceId} account={account} />
        </aside>
      </div>
      {place.fact ? (
        <FactSheet
          workspaceId={workspaceId}
          account={account}
          calls={record.calls}
          property={place.fact}
          moment={moment}
          onClose={() => void setPlace({ fact: null })}
        />
      ) : null}
      {place.note ? (
        <NoteSheet workspaceId={workspaceId} id={place.note} onClose={() => void setPlace({ note: null })} />
      ) : null}
      {isNow && place.open === "new-note" ? (
        <AddNoteDialog
          workspaceId={workspaceId}
          owner={{ id, name: account.name }}
          onSaved={() => {
            void changes.refresh();
            void setPlace({ tab: "notes" });
          }}
          onClose={() => void setPlace({ open: null })}
        />
      ) : null}
      {isNow && isPerson && place.open === "log-activity" ? (
        <LogActivityDialog
          calls={record.calls}
          account={account}
          onLogged={() => {
            void changes.refresh();
            void setPlace({ tab: "timeline", type: null });
          }}
          onClose={() => void setPlace({ open: null })}
        />
      ) : null}
      {isNow && isPerson && administers && place.open === "erase" ? (
        <EraseDialog
          workspaceId={workspaceId}
          account={account}
          onErase={changes.erase}
          onClose={() => void setPlace({ open: null })}
        />
      ) : null}
      {isNow && place.open === "merge" ? (
        <MergeDialog
          workspaceId={workspaceId}
          account={account}
          onMerge={async (keep, drop) => {
            await changes.merge(keep, drop);
            if (keep === id) void setPlace({ open: null });
          }}
          onClose={() => void setPlace({ open: null })}
        />
      ) : null}
    </>
  );
}

/** What one says of the record in half a line: title and company, or industry and country. */
function Subtitle({ workspaceId, account }: { workspaceId: string; account: Account }) {
  const told = (property: string) => {
    const claim = account.claims[property];
    return claim ? valueWords(property, claim.value) : null;
  };
  if (account.type === "company") {
    return [told("industry"), told("country"), employees(told("employee_count"))].filter(Boolean).join(" · ");
  }
  const [company] = account.relationships.works_at;
  const title = told("job_title");
  return (
    <>
      {title}
      {title && (company || told("company")) ? " at " : null}
      {company ? (
        <Link
          href={`/${workspaceId}/accounts/${company.entity_id}`}
          className="rounded-xs text-foreground underline decoration-border-strong underline-offset-3 hover:decoration-current"
        >
          {company.name}
        </Link>
      ) : (
        told("company")
      )}
    </>
  );
}

const employees = (count: string | null): string | null => (count === null ? null : `${count} employees`);
