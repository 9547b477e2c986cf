import type { Problem } from "#components/records/problem.ts";

/** What the server now has instead of the text the writer started from; `null` when the entry was retired. */
export type Theirs = { id: string; content: string; source: string; recorded_at: string };

/** An open editor. It is kept until the server has its text, in this browser tab also across a reload. */
export type Draft = {
  key: string;
  category: string;
  /** The entry it started from; null for a new one. */
  id: string | null;
  /** The text it started from. */
  seen: string;
  text: string;
  state: "editing" | "saving";
  /** Left unsaved by an earlier visit. */
  restored: boolean;
  /** Takes the focus when it appears. */
  focus: boolean;
  /** Why the last try to save failed. */
  problem: Problem | null;
  /** Someone else saved first: their text. */
  conflict: { theirs: Theirs | null } | null;
};

export type Drafts = ReturnType<typeof createDrafts>;

export const isDirty = (draft: Pick<Draft, "text" | "seen">): boolean => draft.text !== draft.seen;

type Start = { category: string; entry?: { id: string; content: string } | undefined; text?: string; focus?: boolean };

export function draftOf({ category, entry, text, focus = false }: Start): Draft {
  const seen = entry?.content ?? "";
  return {
    key: entry?.id ?? `new:${category}`,
    category,
    id: entry?.id ?? null,
    seen,
    text: text ?? seen,
    state: "editing",
    restored: false,
    focus,
    problem: null,
    conflict: null,
  };
}

type Storage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** The open editors of one page. `opened` are open from the first paint; `storage` keeps those with unsaved text. */
export function createDrafts(
  storageKey: string,
  opened: readonly Draft[] = [],
  storage: () => Storage = () => sessionStorage,
) {
  const listeners = new Set<() => void>();
  let drafts = opened;

  function publish(next: readonly Draft[]): void {
    drafts = next;
    keep();
    for (const notify of listeners) notify();
  }

  function keep(): void {
    const unsaved = drafts.filter((draft) => isDirty(draft) && draft.text.trim() !== "");
    const kept = unsaved.map(({ key, category, id, seen, text }) => ({ key, category, id, seen, text }));
    try {
      if (kept.length > 0) storage().setItem(storageKey, JSON.stringify(kept));
      else storage().removeItem(storageKey);
    } catch {
      // Storage can be full or refused; the text is still on the page.
    }
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    list: (): readonly Draft[] => drafts,
    get: (key: string): Draft | undefined => drafts.find((draft) => draft.key === key),
    /** Opens an editor; one that is already open keeps its text. */
    open(draft: Draft): void {
      const standing = drafts.find(({ key }) => key === draft.key);
      if (standing) publish(drafts.map((each) => (each === standing ? { ...each, focus: draft.focus } : each)));
      else publish([...drafts, draft]);
    },
    change(key: string, changes: Partial<Omit<Draft, "key">>): void {
      publish(drafts.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)));
    },
    close(key: string): void {
      publish(drafts.filter((draft) => draft.key !== key));
    },
    /** Opens what an earlier visit left unsaved, except what the server has after all. */
    restore(isSaved: (draft: Draft) => boolean): void {
      const left = read(storage, storageKey).filter((draft) => !isSaved(draft));
      const keys = new Set(left.map(({ key }) => key));
      if (left.length > 0) publish([...drafts.filter(({ key }) => !keys.has(key)), ...left]);
    },
  };
}

function read(storage: () => Storage, storageKey: string): Draft[] {
  try {
    const kept: unknown = JSON.parse(storage().getItem(storageKey) ?? "[]");
    return Array.isArray(kept)
      ? kept.filter(isKept).map((each) => ({ ...draftOf(each), ...each, restored: true }))
      : [];
  } catch {
    return [];
  }
}

type StoredDraft = Pick<Draft, "key" | "category" | "id" | "seen" | "text">;

function isKept(value: unknown): value is StoredDraft {
  const { key, category, id, seen, text } = (value ?? {}) as Record<string, unknown>;
  return (
    [key, category, seen, text].every((each) => typeof each === "string") && (id === null || typeof id === "string")
  );
}

type Entry = { id: string; supersedes: string | null };

export type PlacedDrafts = { byEntry: Map<string, Draft>; loose: Draft[] };

/** Which editor is shown in which entry's place. Loose: new entries, and editors whose entry is gone. */
export function placeDrafts(entries: readonly Entry[], drafts: readonly Draft[]): PlacedDrafts {
  const byEntry = new Map<string, Draft>();
  const loose: Draft[] = [];
  for (const draft of drafts) {
    const entry =
      draft.id === null
        ? undefined
        : (entries.find(({ id }) => id === draft.id) ?? entries.find(({ supersedes }) => supersedes === draft.id));
    if (entry && !byEntry.has(entry.id)) byEntry.set(entry.id, draft);
    else loose.push(draft);
  }
  return { byEntry, loose };
}
