import { bridge, requireTools } from "../bridge.ts";
import type { Fill } from "../command.ts";
import { credentials } from "../credentials.ts";
import { CommandFailure } from "../failure.ts";

/** `?tools=` of the address: "read", or names with commas between them. */
const TOOLS = /^[a-z_]+(,[a-z_]+)*$/;

export const fill: Fill = (command, perform, client) => {
  command
    .option("--url <url>", "the server; else RAPPORT_URL, else where you signed in")
    .option("--tools <tools>", "offer only these: read, or names such as get_context,record")
    .action(({ url, tools }: { url?: string; tools?: string }) =>
      perform(async () => {
        if (tools !== undefined && !TOOLS.test(tools))
          throw new CommandFailure(
            2,
            "usage",
            `"${tools}" is neither read nor a list of tools such as get_context,record.`,
          );
        const { url: server, key } = credentials(url);
        const address = `${server}/mcp${tools === undefined ? "" : `?tools=${tools}`}`;
        const remote = { address, key, client };
        if (tools !== undefined) await requireTools(remote);
        await bridge(remote, process.stdin, process.stdout);
        return { value: {}, text: null };
      }),
    );
};
