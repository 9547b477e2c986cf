import { useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import {
  addressWith,
  changedState,
  type GivenTo,
  isPart,
  type ParserMap,
  readState,
  type StateChange,
  type StateOf,
  type ValueOf,
} from "./query-state.ts";

/** `push`: the browser's back button undoes the change. */
type Steps = { history?: "push" | "replace" };

type SetQueryStates<Map extends ParserMap> = (change: StateChange<Map>, steps?: Steps) => void;

/** The page's state in the address. The page and its scroll position stay when it changes, and the server is not asked. */
export function useQueryStates<Map extends ParserMap>(
  parsers: Map,
  { history = "replace" }: Steps = {},
): [StateOf<Map>, SetQueryStates<Map>] {
  const [known] = useState(() => parsers);
  const current = useSearchParams();
  // Other parts of the address do not make a new state.
  const own = new URLSearchParams([...current].filter(([name]) => isPart(known, name))).toString();
  const state = useMemo(() => readState(known, new URLSearchParams(own)), [known, own]);
  const set = useCallback<SetQueryStates<Map>>(
    (change, steps) => {
      const { pathname, search, hash } = window.location;
      const after = addressWith(pathname, changedState(known, new URLSearchParams(search), change)) + hash;
      if (after === pathname + search + hash) return;
      // Next follows the browser's history.
      if ((steps?.history ?? history) === "push") window.history.pushState(null, "", after);
      else window.history.replaceState(null, "", after);
    },
    [known, history],
  );
  return [state, set];
}

/** One part of it. */
export function useQueryState<P extends ParserMap[string]>(
  name: string,
  parser: P,
  steps?: Steps,
): [ValueOf<P>, (value: GivenTo<P> | null) => void] {
  const [state, setState] = useQueryStates<Record<string, P>>({ [name]: parser }, steps);
  const set = useCallback((value: GivenTo<P> | null) => setState({ [name]: value }), [name, setState]);
  return [state[name] as ValueOf<P>, set];
}
