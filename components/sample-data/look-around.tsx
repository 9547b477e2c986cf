"use client";

import { FlaskConical } from "lucide-react";
import { useParams, useRouter } from "next/navigation";
import { useState } from "react";
import { Button, type ButtonProps } from "#components/ui/button.tsx";
import { useLookAround } from "./use-look-around.ts";
import type { SampleData } from "./use-sample-data.ts";

type LookAroundProps = Pick<ButtonProps, "variant"> & {
  /** What the server read. */
  initial?: SampleData;
};

/** "Look around with sample data", for who may load it while it is not loaded; goes Home afterwards. */
export function LookAround({ variant = "ghost", initial }: LookAroundProps) {
  const { workspace = "" } = useParams<{ workspace: string }>();
  const router = useRouter();
  const [loading, setLoading] = useState(false);
  const lookAround = useLookAround(workspace, (href) => router.push(href), true, initial);
  if (!lookAround) return null;

  async function load() {
    setLoading(true);
    await lookAround?.();
    setLoading(false);
  }

  return (
    <Button variant={variant} loading={loading} onClick={() => void load()}>
      <FlaskConical aria-hidden="true" /> Look around with sample data
    </Button>
  );
}
