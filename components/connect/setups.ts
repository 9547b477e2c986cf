/** How each agent is set up, as text to copy. Agents that speak MCP need an address; the others call the REST API. */

/** How the agent proves who it is: a page in the browser the first time, or an API key. */
export type SignIn = "browser" | "key";

type Block = { title: string; code: string };

/** `before` and `after` the blocks: what to do, in sentences. */
export type Way = { before?: string; blocks: readonly Block[]; after?: string };

export type Setup = {
  id: string;
  label: string;
  /** Where the agent reads standing instructions. */
  instructions: string;
  /** Missing where the agent cannot sign in by a page. */
  browser?: (origin: string) => Way;
  key: (origin: string, key: string) => Way;
};

const KEY_VARIABLE = "RAPPORT_API_KEY";
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const mcp = (origin: string): string => `${origin}/mcp`;

export const environmentOf = (apiKey: string): string => `export ${KEY_VARIABLE}=${apiKey}`;
const environment = (apiKey: string): Block => ({
  title: "In the shell the agent runs in",
  code: environmentOf(apiKey),
});

export const setups: readonly Setup[] = [
  {
    id: "claude-code",
    label: "Claude Code",
    instructions: "CLAUDE.md",
    browser: (origin) => ({
      blocks: [{ title: "In a terminal", code: `claude mcp add --transport http rapport ${mcp(origin)}` }],
      after: "Then type /mcp in Claude Code, choose rapport and sign in.",
    }),
    key: (origin, key) => ({
      blocks: [
        {
          title: "In a terminal",
          code: `claude mcp add --transport http rapport ${mcp(origin)} \\\n  --header "Authorization: Bearer ${key}"`,
        },
      ],
    }),
  },
  {
    id: "claude-desktop",
    label: "Claude Desktop",
    instructions: "Project instructions",
    browser: (origin) => ({
      before:
        "Open Settings, Connectors, Add custom connector, and paste this address. Claude must be able to reach it over https.",
      blocks: [{ title: "Address of the connector", code: mcp(origin) }],
      after: "Choose Connect and sign in.",
    }),
    key: (origin, key) => ({
      before: "For a server that only your machine can reach. It needs the rapport command on this machine.",
      blocks: [
        {
          title: "claude_desktop_config.json",
          code: json({
            mcpServers: {
              rapport: { command: "rapport", args: ["mcp"], env: { RAPPORT_URL: origin, [KEY_VARIABLE]: key } },
            },
          }),
        },
      ],
      after: "Restart Claude Desktop.",
    }),
  },
  {
    id: "cursor",
    label: "Cursor",
    instructions: ".cursor/rules/rapport.mdc",
    key: (origin, key) => ({
      blocks: [
        environment(key),
        {
          title: ".cursor/mcp.json",
          code: json({
            mcpServers: {
              rapport: { url: mcp(origin), headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } },
            },
          }),
        },
      ],
    }),
  },
  {
    id: "codex",
    label: "Codex",
    instructions: "AGENTS.md",
    browser: (origin) => ({
      blocks: [
        { title: "~/.codex/config.toml", code: `[mcp_servers.rapport]\nurl = "${mcp(origin)}"` },
        { title: "In a terminal", code: "codex mcp login rapport" },
      ],
    }),
    key: (origin, key) => ({
      blocks: [
        environment(key),
        {
          title: "~/.codex/config.toml",
          code: `[mcp_servers.rapport]\nurl = "${mcp(origin)}"\nbearer_token_env_var = "${KEY_VARIABLE}"`,
        },
      ],
    }),
  },
  {
    id: "vs-code",
    label: "VS Code",
    instructions: ".github/copilot-instructions.md",
    browser: (origin) => ({
      blocks: [{ title: ".vscode/mcp.json", code: json({ servers: { rapport: { type: "http", url: mcp(origin) } } }) }],
      after: "Choose Start above the entry; VS Code opens the page to sign in.",
    }),
    key: (origin) => ({
      blocks: [
        {
          title: ".vscode/mcp.json",
          code: json({
            inputs: [{ type: "promptString", id: "rapport-key", description: "Rapport API key", password: true }],
            servers: {
              rapport: {
                type: "http",
                url: mcp(origin),
                headers: { Authorization: `Bearer \${input:rapport-key}` },
              },
            },
          }),
        },
      ],
      after: "VS Code asks for the key when it starts the server, and keeps it.",
    }),
  },
  {
    id: "n8n",
    label: "n8n",
    instructions: "System message of the AI Agent node",
    key: (origin, key) => ({
      before: "Add the node MCP Client Tool to an AI Agent. Transport: HTTP Streamable. Authentication: Bearer.",
      blocks: [
        { title: "Endpoint", code: mcp(origin) },
        { title: "Bearer token", code: key },
      ],
    }),
  },
];
