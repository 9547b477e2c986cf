import { THIS_RECORD, useCommands } from "#components/frame/commands.ts";
import { addVerbs } from "#components/records/add-verbs.ts";
import type { AccountPage } from "./account-page.ts";

/** What is added to the record in view, for the palette and the keys. The past can only be read. */
export function useAddCommands({ account, moment, setPlace }: AccountPage): void {
  useCommands(
    moment === null
      ? addVerbs.map(({ id, label, icon, words, more = [], addsBy, place }) => ({
          id: `account-${id}`,
          label: label(account.name),
          icon,
          keywords: [...words, ...more],
          group: THIS_RECORD,
          writes: true,
          ...(addsBy ? { keys: addsBy } : {}),
          run: () => setPlace(place),
        }))
      : [],
  );
}
