"use client";

import { createContext, type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef } from "react";
import { cn } from "./cn.ts";
import { showCurrent } from "./show-current.ts";

/*
 * The tabs of WAI-ARIA's patterns: arrows, Home and End move to a tab and show it at once. Our own, since they are on a
 * page from its first paint and Radix brings 5 kB for them.
 */
type TabsState = { value: string; choose: (value: string) => void; id: string };

const TabsContext = createContext<TabsState | null>(null);

function useTabs(): TabsState {
  const tabs = use(TabsContext);
  if (!tabs) throw new Error("The parts of Tabs belong inside of them.");
  return tabs;
}

type TabsProps = { value: string; onValueChange: (value: string) => void; className?: string; children: ReactNode };

export function Tabs({ value, onValueChange, className, children }: TabsProps) {
  const id = useId();
  return (
    <TabsContext value={{ value, choose: onValueChange, id }}>
      <div className={className}>{children}</div>
    </TabsContext>
  );
}

type TabsListProps = { "aria-label"?: string; className?: string; children: ReactNode };

export function TabsList({ className, ...props }: TabsListProps) {
  const { value } = useTabs();
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (strip.current && value) showCurrent(strip.current);
  }, [value]);
  function move(event: KeyboardEvent<HTMLDivElement>) {
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]:not(:disabled)")];
    const at = tabs.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs.at(to % tabs.length);
    tab?.focus();
    tab?.click();
  }
  return (
    <div
      ref={strip}
      role="tablist"
      {...props}
      onKeyDown={move}
      // The line is a shadow: a border below the tabs would make the strip scroll by its width.
      className={cn(
        "flex gap-4 overflow-x-auto px-0.5 shadow-[inset_0_-1px_0_var(--border)] [scrollbar-width:none]",
        className,
      )}
    />
  );
}

type TabsTriggerProps = { value: string; disabled?: boolean; className?: string; children: ReactNode };

export function TabsTrigger({ value, className, ...props }: TabsTriggerProps) {
  const { value: shown, choose, id } = useTabs();
  const active = value === shown;
  return (
    <button
      {...props}
      type="button"
      role="tab"
      id={`${id}-tab-${value}`}
      aria-selected={active}
      aria-controls={active ? `${id}-panel-${value}` : undefined}
      tabIndex={active ? 0 : -1}
      data-state={active ? "active" : "inactive"}
      onClick={() => choose(value)}
      className={cn(
        "flex h-9 shrink-0 items-center gap-1.5 border-transparent border-b-2 px-0.5 text-muted-foreground transition-colors hover:text-foreground focus-visible:-outline-offset-2 disabled:opacity-50 data-[state=active]:border-foreground data-[state=active]:font-medium data-[state=active]:text-foreground [&_svg]:size-4",
        className,
      )}
    />
  );
}

type TabsContentProps = { value: string; className?: string; children: ReactNode };

/** Rendered while its tab is the shown one. */
export function TabsContent({ value, className, children }: TabsContentProps) {
  const { value: shown, id } = useTabs();
  if (value !== shown) return null;
  return (
    <div
      role="tabpanel"
      id={`${id}-panel-${value}`}
      aria-labelledby={`${id}-tab-${value}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without a control of its own can be scrolled by keys
      tabIndex={0}
      className={cn("pt-4", className)}
    >
      {children}
    </div>
  );
}
