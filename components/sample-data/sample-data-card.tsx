"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ApiError, callOperation } from "#components/api.ts";
import { loadSampleData, removeSampleData } from "#components/operations/sample-data.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toaster.tsx";

/** Fills a workspace with sample people, and removes them again. */
export function SampleDataCard({ workspaceId, loaded }: { workspaceId: string; loaded: boolean }) {
  const [working, setWorking] = useState(false);
  const router = useRouter();

  async function run() {
    setWorking(true);
    try {
      if (loaded) {
        const { removed } = await callOperation(removeSampleData, workspaceId, {});
        toast.success(`${removed} sample records removed`);
      } else {
        const { people, companies } = await callOperation(loadSampleData, workspaceId, {});
        toast.success(`${people} people at ${companies} companies loaded`);
      }
      router.refresh();
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : "That did not work.");
    } finally {
      setWorking(false);
    }
  }

  return (
    <Card aria-labelledby="sample-data">
      <CardHeader
        titleId="sample-data"
        title="Sample data"
        description={
          loaded
            ? "Made-up people and companies are loaded. Removing them leaves everything of your own."
            : "200 made-up people at 40 companies with a year of activity and notes, to look around. Removable in one click."
        }
        actions={
          <Button loading={working} onClick={run}>
            {loaded ? "Remove sample data" : "Load sample data"}
          </Button>
        }
      />
    </Card>
  );
}
