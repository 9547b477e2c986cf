"use client";

import { Search, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { cn } from "#components/ui/cn.ts";
import { Input } from "#components/ui/input.tsx";

const restMs = 200;

type ListSearchProps = {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  /** Class of the box around it. */
  className?: string;
  input: RefObject<HTMLInputElement | null>;
  /** Called on arrow down: moves to the first row. */
  onLeave: () => void;
};

/** Searches when the reader pauses; Escape empties it. */
export function ListSearch({ label, value, onSearch, className, input, onLeave }: ListSearchProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  /** What was searched for and has not come back as `value`: the reader may have typed on meanwhile. */
  const underway = useRef<string[]>([]);
  useEffect(() => {
    const place = underway.current.indexOf(value);
    if (place >= 0) underway.current.splice(0, place + 1);
    if (place >= 0 || value === sent.current) return;
    underway.current = [];
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      underway.current.push(text);
      onSearch(text);
    }, restMs);
    return () => clearTimeout(timer);
  }, [text, onSearch]);

  return (
    <search className={cn("w-56 max-w-full max-md:w-full", className)}>
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") text === "" ? event.currentTarget.blur() : setText("");
          else if (event.key === "ArrowDown" || event.key === "Enter") onLeave();
          else return;
          event.preventDefault();
        }}
        leading={<Search aria-hidden="true" />}
        trailing={
          text === "" ? null : (
            <button
              type="button"
              aria-label="Clear the search"
              onClick={() => setText("")}
              className="grid size-6 place-items-center rounded-xs hover:bg-hover hover:text-foreground"
            >
              <X aria-hidden="true" className="size-3.5" />
            </button>
          )
        }
        className="[&::-webkit-search-cancel-button]:hidden"
      />
    </search>
  );
}
