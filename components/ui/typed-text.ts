import { type FocusEvent, useEffect, useState } from "react";

type TextField = HTMLInputElement | HTMLTextAreaElement;

export type TypedText = {
  /** For `onFocusCapture` of the layer: remembers what a field of a form held before the reader typed. */
  see: (event: FocusEvent<HTMLElement>) => void;
  /** Whether a field holds something else than it did. */
  wouldBeLost: () => boolean;
  forget: () => void;
};

/** What a reader typed into the forms of a layer. While there is some, the browser asks before the page is left. */
export function useTypedText(open: boolean): TypedText {
  const [typed] = useState(typedText);
  useEffect(() => {
    if (!open) return;
    const unload = (event: BeforeUnloadEvent) => (typed.wouldBeLost() ? event.preventDefault() : undefined);
    window.addEventListener("beforeunload", unload);
    return () => {
      window.removeEventListener("beforeunload", unload);
      typed.forget();
    };
  }, [open, typed]);
  return typed;
}

function typedText(): TypedText {
  const before = new Map<TextField, string>();
  return {
    see({ currentTarget, target }) {
      if (!currentTarget.contains(target) || !isTextField(target) || !target.form || before.has(target)) return;
      // A form puts its values into a field that has the focus from the start just after that.
      queueMicrotask(() => before.set(target, target.value));
    },
    wouldBeLost: () => [...before].some(([field, value]) => field.isConnected && field.value !== value),
    forget: () => before.clear(),
  };
}

const isTextField = (target: EventTarget): target is TextField =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !["checkbox", "radio", "file", "range"].includes(target.type));
