"use client";

import { CodeBlock } from "#components/ui/code-block.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import { agents, environmentOf, firstCall, firstWrite, instructionsFor } from "./instructions.ts";

/** What to paste, by agent. `apiKey` is the key made on this page, if one was. */
export function AgentTabs({ origin, apiKey }: { origin: string; apiKey: string | null }) {
  const environment = (
    <CodeBlock
      title="In the environment the agent runs in"
      code={environmentOf(apiKey ? `${apiKey.slice(0, 11)}…${apiKey.slice(-4)}` : "<your API key>")}
      copyValue={environmentOf(apiKey ?? "<your API key>")}
    />
  );
  return (
    <Tabs defaultValue={agents[0]?.id}>
      <TabsList aria-label="Agent">
        {agents.map(({ id, label }) => (
          <TabsTrigger key={id} value={id}>
            {label}
          </TabsTrigger>
        ))}
        <TabsTrigger value="curl">curl</TabsTrigger>
      </TabsList>
      {agents.map((agent) => (
        <TabsContent key={agent.id} value={agent.id} className="flex flex-col gap-3">
          {environment}
          <CodeBlock title={agent.file} code={instructionsFor(agent, origin)} wrap />
        </TabsContent>
      ))}
      <TabsContent value="curl" className="flex flex-col gap-3">
        {environment}
        <CodeBlock title="Read the profile" code={firstCall(origin)} wrap />
        <CodeBlock title="Write the ICP" code={firstWrite(origin)} wrap />
      </TabsContent>
    </Tabs>
  );
}
