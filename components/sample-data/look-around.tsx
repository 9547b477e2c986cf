"use client";

import { useQueryClient } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useParams, useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { loadSample } from "./load-sample.ts";
import { useSampleData } from "./use-sample-data.ts";

/** "Look around with sample data", for who may load it while it is not loaded; goes Home afterwards. */
export function LookAround() {
  const { workspace = "" } = useParams<{ workspace: string }>();
  const { data } = useSampleData(workspace);
  const [loading, setLoading] = useState(false);
  const queries = useQueryClient();
  const router = useRouter();
  if (!data || data.loaded || !data.may_change) return null;

  async function load() {
    setLoading(true);
    if (await loadSample(workspace)) {
      await queries.invalidateQueries();
      router.push(`/${workspace}/home`);
    }
    setLoading(false);
  }

  return (
    <Button variant="ghost" loading={loading} onClick={() => void load()}>
      <FlaskConical aria-hidden="true" /> Look around with sample data
    </Button>
  );
}
