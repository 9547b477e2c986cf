"use client";

import { useRef } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { useMinting } from "./minting.ts";

const MintDialog = onDemand("“New API key”", () => import("./mint-dialog.tsx").then((module) => module.MintDialog));

/** Loads the dialog when it is first opened. */
export function MintingDialog({ workspaceId }: { workspaceId: string }) {
  const { isOpen, close } = useMinting();
  const wasOpen = useRef(false);
  if (isOpen) wasOpen.current = true;
  return wasOpen.current ? <MintDialog workspaceId={workspaceId} open={isOpen} onClose={close} /> : null;
}
