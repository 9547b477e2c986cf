"use client";

import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from "react";
import { untilLoaded } from "./connection.ts";
import { useConnection } from "./use-connection.ts";
import { useHydrated } from "./use-hydrated.ts";
import { whileIdle } from "./while-idle.ts";

type Options<P> = {
  /** Shown in its place while it loads. */
  loading?: ReactNode | ((props: P) => ReactNode);
  /** Left out when it cannot be loaded, without a word: the reader did not ask for it. */
  optional?: boolean;
  /** Fetched in the background, so that it opens at once and without a connection; default true. */
  idle?: boolean;
};

/**
 * A component whose code loads when it is rendered, in the browser only. `what` is its name for the reader, null when
 * they did not ask for it. When it cannot be loaded the page stays as it is, and the frame's banner says so until it can.
 */
export function onDemand<P extends object>(
  what: string | null,
  load: () => Promise<ComponentType<P>>,
  { loading = null, idle = true, optional = false }: Options<P> = {},
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  const fetched = async () => {
    loaded = await load();
    return loaded;
  };
  const wanted = () => (optional ? fetched().catch(() => Nothing) : untilLoaded(what, fetched));
  const Part = lazy(async (): Promise<{ default: ComponentType<P> }> => ({ default: await wanted() }));
  if (idle) whileIdle(fetched);
  return function OnDemand(props: P) {
    // React delays content that suspends, even for a moment, by 300 ms.
    const [Ready] = useState(() => loaded);
    const meanwhile = typeof loading === "function" ? loading(props) : loading;
    if (!useHydrated()) return meanwhile;
    if (Ready) return <Ready {...props} />;
    return (
      <Suspense
        fallback={
          <>
            {meanwhile}
            <NotLater {...props} />
          </>
        }
      >
        <Part {...props} />
      </Suspense>
    );
  };
}

const Nothing = () => null;

type Closable = { onClose?: () => void; onOpenChange?: (open: boolean) => void };

/** Closes a dialog that cannot be loaded without a connection, so that it does not open minutes after it was asked for. */
function NotLater({ onClose, onOpenChange }: Closable): null {
  const lost = useConnection().lostAt !== null;
  const close = useEffectEvent(() => (onClose ? onClose() : onOpenChange?.(false)));
  useEffect(() => (lost ? close() : undefined), [lost]);
  return null;
}
