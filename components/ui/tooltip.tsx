"use client";

import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { Kbd } from "./kbd.tsx";
import { type Align, place, type Side } from "./place.ts";
import { Slot } from "./slot.ts";

/** Hovering takes this long, unless a tooltip was there a moment ago. */
const openMs = 350;
const againMs = 200;
/** Long enough to move the pointer from the control onto its tooltip. */
const closeMs = 120;

/** One tooltip at a time, on the whole page. */
let hideShown: (() => void) | null = null;
let hiddenAt = Number.NEGATIVE_INFINITY;

export type TooltipProps = {
  content: ReactNode;
  shortcut?: string;
  side?: Side;
  align?: Align;
  /** One element that takes a ref and can be focused. */
  children: ReactNode;
};

/**
 * Shows on hover and on keyboard focus, stays while the pointer is on it, closes with Escape. Our own component, since
 * every page has dozens of them from its first paint and a positioning library is larger than the rest of the frame.
 */
export function Tooltip({ content, shortcut, side = "top", align = "center", children }: TooltipProps) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** True once the pointer has waited on the control or pressed it. */
  const answered = useRef(false);
  const [state, setState] = useState<"hidden" | "delayed-open" | "instant-open" | "closed">("hidden");
  const open = state === "delayed-open" || state === "instant-open";

  const [hide] = useState(() => () => {
    clearTimeout(timer.current);
    if (hideShown !== hide) return;
    hideShown = null;
    hiddenAt = performance.now();
    setState("closed");
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      if (hideShown === hide) hideShown = null;
    },
    [hide],
  );

  function show(how: "delayed-open" | "instant-open") {
    clearTimeout(timer.current);
    if (hideShown === hide) return;
    hideShown?.();
    hideShown = hide;
    setState(how);
  }

  function move(event: PointerEvent) {
    if (event.pointerType === "touch" || answered.current) return;
    answered.current = true;
    clearTimeout(timer.current);
    if (hideShown || performance.now() - hiddenAt < againMs) show("instant-open");
    else timer.current = setTimeout(show, openMs, "delayed-open");
  }

  function leave() {
    answered.current = false;
    clearTimeout(timer.current);
    if (open) timer.current = setTimeout(hide, closeMs);
  }

  function press() {
    answered.current = true;
    hide();
  }

  function focus(event: FocusEvent<HTMLElement>) {
    if (event.currentTarget.matches(":focus-visible")) show("instant-open");
  }

  return (
    <>
      <Slot
        ref={anchor}
        aria-describedby={open ? id : undefined}
        onPointerMove={move}
        onPointerLeave={leave}
        onPointerDown={press}
        onClick={press}
        onFocus={focus}
        onBlur={hide}
      >
        {children}
      </Slot>
      {state === "hidden" ? null : (
        <Bubble
          id={id}
          anchor={anchor}
          side={side}
          align={align}
          state={state}
          onStay={() => clearTimeout(timer.current)}
          onLeave={leave}
          onHide={hide}
          onGone={() => setState((now) => (now === "closed" ? "hidden" : now))}
        >
          {content}
          {shortcut ? <Kbd keys={shortcut} /> : null}
        </Bubble>
      )}
    </>
  );
}

type BubbleProps = {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  side: Side;
  align: Align;
  state: "delayed-open" | "instant-open" | "closed";
  onStay: () => void;
  onLeave: () => void;
  onHide: () => void;
  /** It has faded out. */
  onGone: () => void;
  children: ReactNode;
};

function Bubble({ id, anchor, side, align, state, onStay, onLeave, onHide, onGone, children }: BubbleProps) {
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!box.current || !anchor.current) return;
    const { x, y } = place({
      anchor: anchor.current.getBoundingClientRect(),
      box: { width: box.current.offsetWidth, height: box.current.offsetHeight },
      view: { width: document.documentElement.clientWidth, height: window.innerHeight },
      side,
      align,
    });
    box.current.style.left = `${x}px`;
    box.current.style.top = `${y}px`;
    // Without motion there is no end of an animation to wait for.
    if (state === "closed" && box.current.getAnimations().length === 0) onGone();
  });

  useEffect(() => {
    if (state === "closed") return;
    const ended = new AbortController();
    const options = { capture: true, signal: ended.signal };
    window.addEventListener("resize", onHide, options);
    window.addEventListener(
      "scroll",
      ({ target }) => {
        if (target instanceof Node && target.contains(anchor.current)) onHide();
      },
      options,
    );
    // Before a dialog around it gets the key: the first Escape closes the tooltip.
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onHide();
      },
      options,
    );
    return () => ended.abort();
  }, [state, anchor, onHide]);

  return createPortal(
    <div
      ref={box}
      id={id}
      role={state === "closed" ? "presentation" : "tooltip"}
      data-state={state}
      onPointerEnter={state === "closed" ? undefined : onStay}
      onPointerLeave={onLeave}
      onAnimationEnd={onGone}
      style={{ animationFillMode: "forwards" }}
      className="pointer-events-auto fixed z-60 flex w-max max-w-72 items-center gap-2 rounded-md border bg-popover px-2 py-1 text-sm text-foreground shadow-sm data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-fade-in"
    >
      {children}
    </div>,
    document.body,
  );
}
