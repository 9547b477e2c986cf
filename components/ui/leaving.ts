/** The question of a page with unsaved changes; null while there are none. */
let ask: ((go: () => void) => void) | null = null;

/** Leaves the page, or lets it ask first. For ways out that are no links. */
export const leavePage = (go: () => void): void => (ask ? ask(go) : go());

/** While a page has unsaved changes it is asked before the reader leaves it; returns what ends that. */
export function askBeforeLeaving(question: (go: () => void) => void): () => void {
  ask = question;
  return () => {
    if (ask === question) ask = null;
  };
}
