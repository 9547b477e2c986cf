import { useEffect } from "react";
import { isChunkError, untilBack } from "./connection.ts";

const storageKey = "rapport.reloaded";
/** After a reload that did not help, this long without another automatic one. */
const LEAST_MS = 60_000;

/**
 * Reloads a page whose scripts could not be fetched, once the server can be reached: the page is lost already, and only
 * a reload fetches the scripts again. Returns whether that is why the page failed.
 */
export function useReload(error: Error): boolean {
  const isChunk = isChunkError(error);
  useEffect(() => {
    if (!isChunk) return;
    let isHere = true;
    void untilBack().then(() => {
      if (isHere && isFirst()) location.reload();
    });
    return () => {
      isHere = false;
    };
  }, [isChunk]);
  return isChunk;
}

function isFirst(): boolean {
  try {
    const last = Number(sessionStorage.getItem(storageKey));
    sessionStorage.setItem(storageKey, String(Date.now()));
    return Date.now() - last > LEAST_MS;
  } catch {
    return false;
  }
}
