import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Adds `completion <shell>`, and the hidden command that its scripts call. Both print themselves. */
export function addCompletion(program: Command): void {
  const root = tab(program, { completionCommandName: "completion" });
  const setup = root.setup.bind(root);
  root.setup = (...options) => {
    const print = console.log;
    console.log = (script: string) => print(sourceable(script));
    try {
      setup(...options);
    } finally {
      console.log = print;
    }
  };
}

/** A script that can be sourced again: what is read-only cannot be set a second time. */
const sourceable = (script: string): string => script.replaceAll(/^readonly (?=ShellComp)/gm, "");
