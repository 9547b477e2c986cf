import { describe, expect, test } from "vitest";
import { createDrafts, draftOf, placeDrafts } from "./drafts.ts";

function memory() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const entry = { id: "f1", content: "old" };
const never = () => false;

describe("drafts", () => {
  test("keep unsaved text across a reload and say so", () => {
    const storage = memory();
    const before = createDrafts("k", [], () => storage);
    before.open(draftOf({ category: "ICP", entry, focus: true }));
    expect(storage.items.size).toBe(0);
    before.change("f1", { text: "new" });
    before.open(draftOf({ category: "Objections" }));
    before.change("new:Objections", { text: "too early" });

    const after = createDrafts("k", [], () => storage);
    expect(after.list()).toEqual([]);
    after.restore(never);
    expect(after.list()).toMatchObject([
      { key: "f1", id: "f1", seen: "old", text: "new", restored: true, focus: false, state: "editing" },
      { key: "new:Objections", category: "Objections", id: null, text: "too early", restored: true },
    ]);
    after.close("f1");
    after.close("new:Objections");
    expect(storage.items.size).toBe(0);
  });

  test("are not restored when the server has the text after all", () => {
    const storage = memory();
    const before = createDrafts("k", [], () => storage);
    before.open(draftOf({ category: "ICP", entry, text: "new" }));
    const after = createDrafts("k", [], () => storage);
    after.restore((draft) => draft.text === "new");
    expect(after.list()).toEqual([]);
  });

  test("keep their text when opened again", () => {
    const drafts = createDrafts("k", [], memory);
    drafts.open(draftOf({ category: "ICP", entry, text: "mine" }));
    drafts.open(draftOf({ category: "ICP", entry, focus: true }));
    expect(drafts.list()).toMatchObject([{ text: "mine", focus: true }]);
  });

  test("work when the storage refuses", () => {
    const drafts = createDrafts("k", [], () => {
      throw new Error("refused");
    });
    drafts.open(draftOf({ category: "ICP", text: "mine" }));
    drafts.restore(never);
    expect(drafts.get("new:ICP")?.text).toBe("mine");
  });

  test.each(["nonsense", "{}", '[{"key":1}]', "[null]"])("ignore %s in the storage", (text) => {
    const storage = memory();
    storage.setItem("k", text);
    const drafts = createDrafts("k", [], () => storage);
    drafts.restore(never);
    expect(drafts.list()).toEqual([]);
  });
});

describe("a draft replaces", () => {
  const draft = draftOf({ category: "ICP", entry, text: "mine" });

  test("its entry", () => {
    expect(placeDrafts([{ id: "f1", supersedes: null }], [draft]).byEntry.get("f1")).toBe(draft);
  });

  test("the entry that replaced its entry", () => {
    expect(placeDrafts([{ id: "f2", supersedes: "f1" }], [draft]).byEntry.get("f2")).toBe(draft);
  });

  test("nothing, when it is new or its entry is gone", () => {
    const fresh = draftOf({ category: "ICP" });
    expect(placeDrafts([{ id: "f3", supersedes: "f2" }], [draft, fresh])).toEqual({
      byEntry: new Map(),
      loose: [draft, fresh],
    });
  });
});
