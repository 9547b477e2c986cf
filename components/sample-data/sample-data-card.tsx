"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { callOperation } from "#components/api.ts";
import { removeSampleData } from "#components/operations/sample-data.ts";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { loadSample } from "./load-sample.ts";
import { goesOf, staysOf } from "./sample-words.ts";
import { sampleDataKey, useSampleData } from "./use-sample-data.ts";

/** Fills a workspace with sample people, and removes them again. */
export function SampleDataCard({ workspaceId, loaded }: { workspaceId: string; loaded: boolean }) {
  const [working, setWorking] = useState(false);
  const router = useRouter();
  const queries = useQueryClient();
  const { data } = useSampleData(workspaceId);

  async function refresh() {
    await queries.invalidateQueries({ queryKey: sampleDataKey(workspaceId) });
    router.refresh();
  }

  async function load() {
    setWorking(true);
    if (await loadSample(workspaceId)) await refresh();
    setWorking(false);
  }

  async function remove() {
    const { removed } = await callOperation(removeSampleData, workspaceId, {});
    toast.success(`${removed} sample records removed`);
    await refresh();
  }

  return (
    <Card aria-labelledby="sample-data">
      <CardHeader
        titleId="sample-data"
        title="Sample data"
        description={
          loaded
            ? "Made-up people and companies are loaded. Removing them keeps everything of your own."
            : "200 made-up people at 40 companies with a year of activity, notes, meetings and scores, to look around. Easy to remove."
        }
        actions={
          loaded ? (
            <AlertDialog
              trigger={<Button disabled={!data}>Remove sample data</Button>}
              title="Remove the sample data?"
              description={
                data ? (
                  <>
                    <span className="block">{goesOf(data)}</span>
                    <span className="mt-2 block">{staysOf(data)}</span>
                  </>
                ) : null
              }
              confirmLabel="Remove sample data"
              onConfirm={remove}
            />
          ) : (
            <Button loading={working} onClick={() => void load()}>
              Load sample data
            </Button>
          )
        }
      />
    </Card>
  );
}
