import { useDeferredValue, useEffect, useRef, useState } from "react";
import { toast } from "./toaster.tsx";
import { whileIdle } from "./while-idle.ts";

type LazyPanel<Panel> = {
  /** Call it when the pointer or the focus comes near; a failure is shown when the panel is opened. */
  preload: () => void;
  /** The code of the panel from its first opening on. When it cannot be loaded, `close` is called and a toast says so. */
  usePanel: (open: boolean, close: () => void) => Panel | null;
};

/**
 * The code of what opens over a page: a menu, a list of options. A page has many and opens few, so it starts with their
 * triggers alone. `what` begins the message when it cannot be loaded.
 */
export function lazyPanel<Panel>(what: string, load: () => Promise<Panel>): LazyPanel<Panel> {
  let loaded: Panel | null = null;
  const fetched = async () => {
    loaded = await load();
    return loaded;
  };
  whileIdle(fetched);
  return {
    preload: () => void fetched().catch(() => undefined),
    usePanel(open, close) {
      const [panel, setPanel] = useState<Panel | null>(open ? loaded : null);
      const fail = useRef<() => void>(undefined);
      fail.current = () => {
        close();
        toast.error(`${what} could not be loaded.`, { description: "Check your connection and try again." });
      };
      // biome-ignore lint/correctness/useExhaustiveDependencies: fetched is the same for as long as the page lives
      useEffect(() => {
        if (!open || panel) return;
        let wanted = true;
        fetched().then(
          (module) => (wanted ? setPanel(() => module) : undefined),
          () => (wanted ? fail.current?.() : undefined),
        );
        return () => {
          wanted = false;
        };
      }, [open, panel]);
      return panel;
    },
  };
}

/** Opens a moment after the press, so that the trigger shows at once that it was pressed; closes at once. */
export function useOpened(open: boolean): boolean {
  const opened = useDeferredValue(open, false);
  return open && opened;
}
