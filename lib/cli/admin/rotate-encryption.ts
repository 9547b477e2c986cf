import type { Command } from "commander";
import { getBoot } from "#lib/settings/boot.ts";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";

export function addRotateEncryption(admin: Command, perform: Perform): void {
  admin
    .command("rotate-encryption")
    .description(
      "Encrypt every stored secret with the first key of ENCRYPTION_KEY. Safe to run again, and while the server runs.",
    )
    .option("--json", "print one JSON object")
    .action(() => perform(rotate));
}

async function rotate(): Promise<Result> {
  const [{ everyWorkspace }, { encryptedColumns }, { rotateColumn }] = await Promise.all([
    import("#lib/auth/operator.ts"),
    import("#lib/domain/encrypted-columns.ts"),
    import("#lib/db/rotate-encryption.ts"),
  ]);
  const keys = getBoot().secrets.encryptionKeys;
  const workspaces = await everyWorkspace();
  const columns = [];
  for (const column of encryptedColumns) columns.push(await rotateColumn(workspaces, keys, column));
  const unreadable = columns.reduce((sum, column) => sum + column.unreadable, 0);
  return {
    value: { key_id: keys[0]?.id, columns },
    text: table([
      ["key", keys[0]?.id ?? ""],
      ...columns.map((column): [string, string] => [
        `${column.table}.${column.column}`,
        `${column.reencrypted} encrypted again, ${column.current} already current, ${column.unreadable} unreadable`,
      ]),
    ]),
    exit: unreadable > 0 ? 1 : 0,
  };
}
