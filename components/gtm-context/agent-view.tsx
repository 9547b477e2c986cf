"use client";

import { useQuery } from "@tanstack/react-query";
import { curlOf } from "#components/curl.ts";
import { listFacts } from "#components/operations/facts.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { counted } from "#components/ui/numbers.ts";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { callsOf, factsKey } from "./calls.ts";
import { focusPanel, useReturnFocus } from "./focus.ts";

export type AgentViewProps = { workspaceId: string; origin: string; onClose: () => void };

/** The profile as the text an agent reads, made by the server. */
export function AgentViewSheet({ workspaceId, origin, onClose }: AgentViewProps) {
  const returnFocus = useReturnFocus();
  const view = useQuery({
    queryKey: [...factsKey(workspaceId), "agent-view"],
    queryFn: ({ signal }) => callsOf(workspaceId).getAgentView(signal),
    staleTime: 0,
  });
  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent
        title="What agents see"
        description="The current profile as compact text: every statement with its source, age, confidence and id."
        onOpenAutoFocus={focusPanel}
        onCloseAutoFocus={returnFocus}
        className="w-[min(44rem,calc(100vw-2.5rem))]"
      >
        <SheetBody className="flex flex-col gap-4">
          {view.data ? null : <LoadProblem title="The text could not be loaded" query={view} className="px-0" />}
          {view.isPending ? (
            <Loading label="Loading what agents see">
              <SkeletonText lines={12} />
            </Loading>
          ) : null}
          {view.data ? (
            <>
              <div className="flex flex-wrap items-center justify-between gap-2">
                <p className="text-muted-foreground text-sm">
                  {counted(view.data.facts, "fact")} · {counted(view.data.tokens, "token")}
                </p>
                <CopyButton text value={view.data.text} label="Copy text" size="sm" />
              </div>
              <pre className="wrap-anywhere whitespace-pre-wrap rounded-md border bg-muted px-3 py-2 font-mono text-sm leading-5">
                {view.data.text}
              </pre>
            </>
          ) : null}
          <CodeBlock title="The same facts as JSON" code={curlOf(origin, listFacts)} />
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}
