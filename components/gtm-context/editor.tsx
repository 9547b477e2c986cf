"use client";

import { CircleAlert, GitCompare, WifiOff } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from "react";
import { sourceWords } from "#components/records/names.ts";
import type { Problem } from "#components/records/problem.ts";
import { SignInLink } from "#components/records/sign-in-link.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Textarea } from "#components/ui/textarea.tsx";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { type Draft, isDirty } from "./drafts.ts";
import { MAX_CONTENT, NEAR_CONTENT } from "./limits.ts";
import { guideOf } from "./sections.ts";

export type EditorProps = {
  draft: Draft;
  /** The entry that replaced the draft's entry, when someone changed it meanwhile. */
  overtakenBy?: EntryVersion | undefined;
  /** The entry the draft started from is gone without a successor. */
  orphaned?: boolean;
  onText: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
  onCompare?: (() => void) | undefined;
};

/** Writes one entry in its place. */
export function Editor({ draft, overtakenBy, orphaned, onText, onSave, onCancel, onCompare }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const { text, problem } = draft;
  const tooLong = text.trim().length > MAX_CONTENT;
  const guide = draft.id === null ? guideOf(draft.category) : undefined;

  useEffect(() => {
    if (!draft.focus) return;
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, [draft.focus]);

  // The buttons, and why a save failed, are below the text: on a phone that may be out of view.
  useEffect(() => {
    if (draft.focus || problem) area.current?.form?.scrollIntoView({ block: "nearest" });
  }, [draft.focus, problem]);

  // When the editor is closed by a key, the focus goes to its section.
  useLayoutEffect(() => {
    const form = area.current?.form;
    const section = form?.closest<HTMLElement>("[data-section]");
    return () => {
      if (form?.contains(document.activeElement)) section?.focus({ preventScroll: true });
    };
  }, []);

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!tooLong && text.trim() !== "") onSave();
    else area.current?.focus();
  }

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    }
  }

  return (
    <form onSubmit={submit} onKeyDown={press} className="flex flex-col gap-2">
      <Textarea
        ref={area}
        value={text}
        onChange={(event) => onText(event.target.value)}
        aria-label={`${draft.category}: ${draft.id === null ? "new entry" : "edit entry"}`}
        aria-invalid={tooLong || undefined}
        aria-describedby={noteId}
        placeholder={guide?.prompt ?? "One short statement an agent can act on."}
        rows={3}
        maxRows={24}
      />
      <div id={noteId} className="flex flex-col gap-2 empty:hidden">
        {guide && text === "" ? (
          <p className="text-muted-foreground text-sm">
            <span className="font-medium">For instance:</span> {guide.example}
          </p>
        ) : null}
        {tooLong ? (
          <p role="alert" className="text-danger-text text-sm">
            {numeral(text.trim().length - MAX_CONTENT)} characters too long. An entry holds up to {numeral(MAX_CONTENT)}
            ; agents read short ones best.
          </p>
        ) : null}
        {draft.restored && isDirty(draft) ? (
          <Note>Draft restored: this text was not saved before the page was left.</Note>
        ) : null}
        {overtakenBy && isDirty(draft) ? (
          <Note
            action={
              <Button size="sm" onClick={onCompare}>
                <GitCompare aria-hidden="true" /> Compare
              </Button>
            }
          >
            Changed while you were writing ({sourceWords(overtakenBy.source)}). Your text is safe; nothing is
            overwritten without asking.
          </Note>
        ) : null}
        {orphaned ? <Note>This entry was retired or moved while you were writing. Your text is safe.</Note> : null}
        {problem ? <Failure problem={problem} text={text} /> : null}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" size="sm" disabled={tooLong || text.trim() === ""}>
          {problem ? "Try again" : "Save"}
          <Kbd
            keys="mod+enter"
            className="max-md:hidden [&_kbd]:border-transparent [&_kbd]:bg-transparent [&_kbd]:text-inherit"
          />
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {draft.restored ? "Discard" : "Cancel"}
          <Kbd keys="esc" className="max-md:hidden" />
        </Button>
        {text.length >= NEAR_CONTENT ? (
          <span className={cn("ml-auto text-muted-foreground text-sm", tooLong && "text-danger-text")}>
            {numeral(text.length)} / {numeral(MAX_CONTENT)}
          </span>
        ) : null}
      </div>
    </form>
  );
}

function Note({ children, action }: { children: React.ReactNode; action?: React.ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-md bg-warning-soft px-2.5 py-1.5 text-sm text-warning-text"
    >
      <span className="min-w-0 flex-1 basis-64">{children}</span>
      {action}
    </div>
  );
}

function Failure({ problem, text }: { problem: Problem; text: string }) {
  const Icon = problem.offline ? WifiOff : CircleAlert;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start gap-2 rounded-md bg-danger-soft px-2.5 py-1.5 text-sm text-danger-text"
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 basis-64">
        <p>
          <span className="font-medium">Not saved.</span> {problem.message}
        </p>
        <p>Your text stays here, also if you reload the page.</p>
        {problem.requestId ? (
          <p className="text-xs">
            Request <code className="font-mono">{problem.requestId}</code>
          </p>
        ) : null}
      </div>
      {problem.signedOut ? <SignInLink /> : null}
      <CopyButton value={text} label="Copy my text" size="sm" />
    </div>
  );
}
