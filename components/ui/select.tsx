"use client";

import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { cn } from "./cn.ts";
import { useFieldControl } from "./field-control.ts";
import { controlClasses } from "./input.tsx";
import { lazyPanel } from "./lazy-panel.ts";
import { optionByLetters } from "./option-by-letters.ts";
import type { SelectOption } from "./select-option.ts";

/* Starts with its trigger alone; the options (select-panel.tsx) load when it is about to be opened. */
const { preload, usePanel } = lazyPanel("The options", () => import("./select-panel.tsx"));

export type { SelectOption } from "./select-option.ts";

export type SelectProps<Value extends string = string> = {
  options: readonly SelectOption<Value>[];
  value?: Value;
  onValueChange?: (value: Value) => void;
  placeholder?: string;
  disabled?: boolean;
  /** Needed outside a Field. */
  "aria-label"?: string;
  size?: "sm" | "md";
  className?: string;
  id?: string;
};

/** Letters typed with longer pauses between them begin a new word. */
const TYPING_MS = 1_000;

export function Select<Value extends string = string>({
  options,
  value,
  onValueChange,
  placeholder = "Choose…",
  disabled,
  size = "md",
  className,
  ...given
}: SelectProps<Value>) {
  const control = useFieldControl(given);
  const [open, setOpen] = useState(false);
  const panel = usePanel(open, () => setOpen(false));
  const trigger = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const byMouse = useRef(false);
  const typed = useRef({ letters: "", at: 0 });
  const chosen = options.find((option) => option.value === value);
  const choose = (next: string) => onValueChange?.(next as Value);

  function press(event: KeyboardEvent) {
    const isTyping = typed.current.letters !== "" && event.timeStamp - typed.current.at < TYPING_MS;
    if (["Enter", " ", "ArrowDown", "ArrowUp"].includes(event.key) && !(event.key === " " && isTyping)) {
      event.preventDefault();
      typed.current.letters = "";
      setOpen(true);
      return;
    }
    if (event.key.length !== 1 || event.ctrlKey || event.altKey || event.metaKey) return;
    typed.current = { letters: (isTyping ? typed.current.letters : "") + event.key, at: event.timeStamp };
    const next = optionByLetters(options, value, typed.current.letters);
    if (next && next.value !== value) choose(next.value);
  }

  return (
    <>
      <button
        {...given}
        {...control}
        ref={trigger}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open && panel ? listId : undefined}
        aria-autocomplete="none"
        data-state={open ? "open" : "closed"}
        data-placeholder={chosen ? undefined : ""}
        disabled={disabled}
        onPointerEnter={preload}
        onFocus={preload}
        onPointerDown={(event) => {
          byMouse.current = event.pointerType === "mouse";
          if (event.button !== 0 || event.ctrlKey || !byMouse.current) return;
          // The focus goes into the opening list, and must not be taken back.
          event.preventDefault();
          event.currentTarget.focus();
          setOpen(true);
        }}
        onClick={(event) => {
          // Touch and assistive technology: a list opened at the touch would close as the finger leaves.
          if (!byMouse.current || event.detail === 0) setOpen(true);
        }}
        onKeyDown={press}
        className={cn(
          controlClasses,
          "flex items-center justify-between gap-2 px-2.5 text-left data-[placeholder]:text-muted-foreground [&>span]:truncate",
          size === "sm" ? "h-7 text-sm max-md:text-sm" : "h-8",
          className,
        )}
      >
        <span className="pointer-events-none">{chosen?.label ?? placeholder}</span>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      </button>
      {panel ? (
        <panel.SelectPanel
          id={listId}
          options={options}
          value={value ?? ""}
          onValueChange={choose}
          open={open}
          onOpenChange={setOpen}
          trigger={trigger}
        />
      ) : null}
    </>
  );
}
