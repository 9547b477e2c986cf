"use client";

import dynamic from "next/dynamic";
import { useRef } from "react";
import { useMinting } from "./minting.ts";

const MintDialog = dynamic(() => import("./mint-dialog.tsx").then((module) => module.MintDialog), { ssr: false });

/** Loads the dialog when it is first asked for. */
export function MintingDialog({ workspaceId }: { workspaceId: string }) {
  const { isOpen, close } = useMinting();
  const wasOpen = useRef(false);
  if (isOpen) wasOpen.current = true;
  return wasOpen.current ? <MintDialog workspaceId={workspaceId} open={isOpen} onClose={close} /> : null;
}
