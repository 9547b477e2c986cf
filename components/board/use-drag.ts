import { type PointerEvent, useCallback, useRef, useState } from "react";
import { readsOnly } from "#components/frame/commands.ts";
import type { Stage } from "#components/records/stages.ts";
import { type DraggedCard, PointerDrag } from "./pointer-drag.ts";

/** What is held on the board, by pointer or (through `hold`) by keyboard. */
export function useDrag(onDrop: (id: string, to: Stage) => void) {
  const [held, hold] = useState<DraggedCard | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  const [drag] = useState(
    () => new PointerDrag({ show: hold, drop: (id, to) => drop.current(id, to), ghost: () => ghost.current }),
  );
  const attach = useCallback(
    (board: HTMLDivElement) => {
      box.current = board;
      const stop = drag.watch(board);
      return () => {
        stop();
        box.current = null;
      };
    },
    [drag],
  );
  const onPress = useCallback(
    (event: PointerEvent<HTMLElement>, id: string, from: Stage) => {
      if (event.button !== 0 || readsOnly() || (event.target as Element).closest("[data-no-drag]")) return;
      drag.press(event, id, from);
    },
    [drag],
  );
  return { held, hold, box, attach, ghost, onPress };
}
