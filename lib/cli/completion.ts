import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Adds `completion <shell>`, and the hidden command that its scripts call. Both print themselves. */
export const addCompletion = (program: Command): unknown => tab(program, { completionCommandName: "completion" });
