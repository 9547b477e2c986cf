import { type RefObject, useEffect, useRef, useState } from "react";

/** How far below the window a part counts as in sight already. */
const NEAR = "200px";

/** True from the moment that the element comes near the window, for parts that are costly to draw. */
export function useInSight<Of extends Element>(): [ref: RefObject<Of | null>, seen: boolean] {
  const ref = useRef<Of>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (seen || !element) return;
    const watcher = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? setSeen(true) : undefined), {
      rootMargin: NEAR,
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [seen]);
  return [ref, seen];
}
