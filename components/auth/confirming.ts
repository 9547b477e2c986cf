let ask: (() => Promise<boolean>) | null = null;

/** Says who asks the reader to confirm that it is them; gives the end of that. */
export function confirmBy(by: () => Promise<boolean>): () => void {
  ask = by;
  return () => {
    if (ask === by) ask = null;
  };
}

/** Asks the reader to confirm that it is them. False: they did not, or no page is there to ask. */
export const askToConfirm = async (): Promise<boolean> => (await ask?.()) ?? false;
