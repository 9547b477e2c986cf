import type { Fill } from "./command.ts";

/**
 * A command of the first level. Its options and action are loaded when it is the one that runs, so that each costs only
 * itself. `onServer`: it works on this installation's own database, else it asks a server over HTTP.
 */
export type CommandEntry = { name: string; about: string; onServer?: true; load?: () => Promise<{ fill: Fill }> };

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "login",
    about: "Sign this machine in, by a page in the browser.",
    load: () => import("./commands/login.ts"),
  },
  { name: "logout", about: "Revoke this machine's key and forget it.", load: () => import("./commands/logout.ts") },
  { name: "status", about: "Which server, workspace, plan and scopes.", load: () => import("./commands/status.ts") },
  {
    name: "context",
    about: "What to know before you write, call or meet.",
    load: () => import("./commands/context.ts"),
  },
  { name: "account", about: "Everything known about a contact.", load: () => import("./commands/account.ts") },
  { name: "record", about: "Record what was observed.", load: () => import("./commands/record.ts") },
  { name: "note", about: "Keep a document on a contact.", load: () => import("./commands/note.ts") },
  { name: "search", about: "Search the notes.", load: () => import("./commands/search.ts") },
  { name: "facts", about: "Read and write how you sell.", load: () => import("./commands/facts.ts") },
  { name: "task", about: "What is to do: list, add, done.", load: () => import("./commands/task.ts") },
  {
    name: "import",
    about: "Import people, companies, notes or activities from CSV.",
    load: () => import("./commands/import.ts"),
  },
  {
    name: "mcp",
    about: "Offer the tools to a program on this machine (MCP over stdio).",
    load: () => import("./commands/mcp.ts"),
  },
  // `bin/rapport.ts` runs these two itself; here they are for the help.
  { name: "start", about: "Start the server, as `rapport` alone does: [--port <n>]." },
  { name: "worker", about: "Run jobs in a process of its own (WORKER=separate)." },
  {
    name: "doctor",
    about: "Check this server: disk, database, backups, jobs, what stopped, and how to fix it.",
    onServer: true,
    load: () => import("./admin/doctor.ts"),
  },
  {
    name: "admin",
    about: "Operate this server; works whether or not it runs.",
    onServer: true,
    load: () => import("./admin/commands.ts"),
  },
];
