import { useRef } from "react";

/** What is ticked in an editor and not set yet. It counts, however the editor is left. */
export function useDraft(apply: (value: string) => void) {
  const draft = useRef<string | null>(null);
  return {
    keep(value: string | null): void {
      draft.current = value;
    },
    leave(): void {
      const value = draft.current;
      draft.current = null;
      if (value !== null) apply(value);
    },
  };
}
