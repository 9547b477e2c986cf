import type { Command } from "commander";

/** The options of every command that asks a server. */
export const addServer = (command: Command): Command =>
  command
    .option("--url <url>", "the server; else RAPPORT_URL, else where you signed in")
    .option("--json", "print the API's JSON");
