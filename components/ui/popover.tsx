"use client";

import type * as Primitive from "radix-ui/popover";
import {
  type ComponentProps,
  createContext,
  type RefObject,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { lazyPanel, useOpened } from "./lazy-panel.ts";
import { Slot } from "./slot.ts";

/*
 * Starts with its trigger alone: the positioned content (popover-panel.tsx) is larger than most pages that have one.
 */
type Panel = typeof import("./popover-panel.tsx");

const { preload, usePanel } = lazyPanel<Panel>("This", () => import("./popover-panel.tsx"));

type PopoverState = {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** Set from the first opening on. */
  panel: Panel | null;
  anchor: RefObject<HTMLElement | null>;
  contentId: string;
};

const PopoverContext = createContext<PopoverState | null>(null);

function usePopover(): PopoverState {
  const popover = use(PopoverContext);
  if (!popover) throw new Error("The parts of a Popover belong inside of it.");
  return popover;
}

/** Not modal: the page behind stays usable. */
export function Popover({
  open: given,
  onOpenChange,
  children,
}: Pick<ComponentProps<typeof Primitive.Root>, "open" | "onOpenChange" | "children">) {
  const [own, setOwn] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  const open = given ?? own;
  const contentId = useId();

  function setOpen(next: boolean) {
    setOwn(next);
    onOpenChange?.(next);
  }

  const panel = usePanel(open, () => setOpen(false));
  return <PopoverContext value={{ open, setOpen, panel, anchor, contentId }}>{children}</PopoverContext>;
}

export function PopoverTrigger({ asChild, ...props }: Omit<ComponentProps<typeof Primitive.Trigger>, "ref">) {
  const { open, setOpen, panel, anchor, contentId } = usePopover();
  const Element = asChild ? Slot : "button";
  const attach = useCallback(
    (element: HTMLElement | null) => {
      anchor.current = element;
    },
    [anchor],
  );
  return (
    <Element
      type="button"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-controls={open && panel ? contentId : undefined}
      data-state={open ? "open" : "closed"}
      {...props}
      ref={attach}
      onPointerEnter={(event) => {
        props.onPointerEnter?.(event as never);
        preload();
      }}
      onFocus={(event) => {
        props.onFocus?.(event as never);
        preload();
      }}
      onClick={(event) => {
        props.onClick?.(event as never);
        if (!event.defaultPrevented) setOpen(!open);
      }}
    />
  );
}

/** What the content is placed beside when there is no trigger. */
export function PopoverAnchor({ virtualRef }: { virtualRef: RefObject<HTMLElement | null> }) {
  const { anchor } = usePopover();
  useLayoutEffect(() => {
    anchor.current = virtualRef.current;
  });
  return null;
}

/** Give it an aria-label or aria-labelledby: it is a dialog. */
export function PopoverContent(props: ComponentProps<typeof Primitive.Content>) {
  const { open, setOpen, panel, anchor, contentId } = usePopover();
  const opened = useOpened(open && panel !== null);
  if (!panel) return null;
  return <panel.PopoverPanel id={contentId} {...props} open={opened} onOpenChange={setOpen} anchor={anchor} />;
}
