"use client";

import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { type Problem, problemOf } from "#components/records/problem.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { Progress } from "#components/ui/progress.tsx";
import type { ImportKind } from "#lib/domain/workspace/imports/contract.ts";
import { fileProblem } from "./file-problem.ts";
import { uploadFile } from "./upload.ts";
import { bytesWords, kindLabels } from "./words.ts";

type DropZoneProps = { workspaceId: string; kind: ImportKind };

/** Takes a file by drop or by choice, and sends it. */
export function DropZone({ workspaceId, kind }: DropZoneProps) {
  const { sending, problem, take, stop } = useUpload(workspaceId, kind);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();

  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver);
  };
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!sending) take([...event.dataTransfer.files]);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button inside does the same by key
    <div
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={drop}
      className={cn(
        "flex min-h-40 flex-col items-center justify-center gap-3 rounded-md border border-border-strong border-dashed px-4 py-6 text-center transition-colors",
        over && "border-primary bg-primary-soft",
      )}
    >
      {sending ? (
        <Sending {...sending} onStop={stop} />
      ) : (
        <>
          <FileUp aria-hidden="true" className="size-5 text-muted-foreground" />
          <div>
            <p className="font-medium">Drop a CSV file of {kindLabels[kind].toLowerCase()} here</p>
            <p id={hintId} className="text-muted-foreground text-sm">
              Up to 200 MB and 1,000,000 rows. Encoding, columns and headers are detected automatically.
            </p>
          </div>
          <Button variant="primary" aria-describedby={hintId} onClick={() => input.current?.click()}>
            Choose a file
          </Button>
        </>
      )}
      <input
        ref={input}
        type="file"
        aria-label="CSV file"
        hidden
        accept=".csv,.tsv,.tab,.txt,text/csv,text/tab-separated-values,text/plain"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = ""; // so that the same file can be chosen again
          if (files.length > 0) take(files);
        }}
      />
      <Refusal problem={problem} className="max-w-prose text-pretty" />
    </div>
  );
}

type UploadProgress = { name: string; size: number; sent: number };

function Sending({ name, size, sent, onStop }: UploadProgress & { onStop: () => void }) {
  const isSent = sent >= size;
  return (
    <div className="flex w-full max-w-md flex-col gap-2.5">
      <p role="status" className="wrap-anywhere font-medium">
        {isSent ? `Reading ${name}…` : `Uploading ${name}…`}
      </p>
      <Progress value={sent} max={size} label="Uploaded" />
      <div className="flex items-center justify-between gap-3 text-muted-foreground text-sm">
        <span>
          {bytesWords(Math.min(sent, size))} of {bytesWords(size)}
        </span>
        <Button size="sm" variant="ghost" onClick={onStop}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** The upload of one file, which leads to the page of its import. */
function useUpload(workspaceId: string, kind: ImportKind) {
  const router = useRouter();
  const [sending, setSending] = useState<UploadProgress | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef<AbortController>(undefined);
  const isSending = sending !== null;

  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isSending]);

  async function send(file: File) {
    running.current = new AbortController();
    const { signal } = running.current;
    const { name, size } = file;
    setSending({ name, size, sent: 0 });
    try {
      const onSent = (sent: number) => setSending({ name, size, sent });
      const { id } = await uploadFile({ workspaceId, kind, file, signal, onSent });
      router.push(`/${workspaceId}/imports/${id}`);
    } catch (error) {
      if (signal.aborted) return;
      setProblem(problemOf(error));
      setSending(null);
    }
  }

  function take(files: readonly File[]) {
    const message = fileProblem(files);
    setProblem(message === null ? null : { message });
    const [file] = files;
    if (message === null && file) void send(file);
  }

  function stop() {
    running.current?.abort();
    setSending(null);
  }

  return { sending, problem, take, stop };
}
