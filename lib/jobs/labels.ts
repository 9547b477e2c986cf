import { singleton } from "#lib/core/singleton.ts";

const labels = singleton<Map<string, string>>("job-labels", () => new Map());

/** Called by `jobKind`: registers the kind's name for the page of jobs. */
export function setLabel(kind: string, label: string): void {
  labels.set(kind, label);
}

/** The name of a kind that this release does not have is its own label. */
export const labelOf = (kind: string): string => labels.get(kind) ?? kind;
