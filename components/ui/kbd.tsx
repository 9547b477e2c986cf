import { cn } from "./cn.ts";

const names: Record<string, string> = { mod: "⌘/Ctrl", enter: "↵", esc: "Esc", shift: "⇧", up: "↑", down: "↓" };

/** Keys of a shortcut, written `mod+k` (together) or `g p` (one after the other). */
export function Kbd({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={cn("inline-flex shrink-0 items-center gap-1", className)}>
      {keys.split(/[ +]/).map((key, place) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: `g g` is the same key twice, and keys never move
          key={place}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-xs border border-border-strong bg-muted px-1 font-sans text-muted-foreground text-xs"
        >
          {names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  );
}
