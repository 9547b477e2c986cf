import type { LucideIcon } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";

/**
 * Something the reader can do from anywhere on the page. One registry feeds the command palette, the keyboard and the
 * help dialog, so a command cannot be in one and missing from another.
 */
export type Command = {
  id: string;
  label: string;
  /** The heading it is listed under: "Go to", "Create", … */
  group: string;
  icon?: LucideIcon;
  keywords?: readonly string[];
  /** Distinguishes commands with the same label: a person's company, say. */
  detail?: string;
  /** `mod+k`, `shift+a`, `g p`, `/`. */
  keys?: string;
  /** It begins a write, so viewers do not have it. */
  writes?: boolean;
  /** Works by keys only; the palette does not list it. */
  hidden?: boolean;
  run: () => void;
};

/** The group of what can be done with the record in view. */
export const THIS_RECORD = "This record";

/** Whether the reader is a viewer of the workspace in view: the frame says so in the page, for styles too. */
export const readsOnly = (): boolean => document.querySelector("[data-reads-only]") !== null;

const byOwner = new Map<symbol, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];

/** Offers commands while the calling component is mounted. A new array each render is fine. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useRef(Symbol("commands")).current;
  useEffect(() => {
    byOwner.set(owner, commands);
    publish();
  });
  useEffect(
    () => () => {
      byOwner.delete(owner);
      publish();
    },
    [owner],
  );
}

export function currentCommands(): readonly Command[] {
  return all;
}

export function useCurrentCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, currentCommands, currentCommands);
}

function publish() {
  const commands = [...byOwner.values()].flat();
  all = readsOnly() ? commands.filter(({ writes }) => !writes) : commands;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Finds commands for what the reader types, such as the people of that name. */
export type CommandSource = (text: string, signal: AbortSignal) => Promise<readonly Command[]>;

const sources = new Set<CommandSource>();

/** Lets the palette find more than the commands that are always offered, while the calling component is mounted. */
export function useCommandSource(source: CommandSource): void {
  const newest = useRef(source);
  useEffect(() => {
    newest.current = source;
  });
  useEffect(() => {
    const ask: CommandSource = (text, signal) => newest.current(text, signal);
    sources.add(ask);
    return () => void sources.delete(ask);
  }, []);
}

/** The results of all sources, in their order; a failing source gives none. */
export async function findCommands(text: string, signal: AbortSignal): Promise<readonly Command[]> {
  const answers = await Promise.allSettled([...sources].map((source) => source(text, signal)));
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}
