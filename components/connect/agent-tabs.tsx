"use client";

import { CodeBlock } from "#components/ui/code-block.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import { restCalls } from "./instructions.ts";
import { environmentOf, type Setup, type SignIn, setups, type Way } from "./setups.ts";

const NO_KEY = "<your API key>";
const REST = "rest";

export type AgentTabsProps = {
  origin: string;
  /** The key made on this page, if one was. It is shown in part and copied whole. */
  apiKey: string | null;
  signIn: SignIn;
  agent: string;
  onAgent: (id: string) => void;
};

/** What to paste, by agent. */
export function AgentTabs({ origin, apiKey, signIn, agent, onAgent }: AgentTabsProps) {
  const masked = apiKey ? `${apiKey.slice(0, 11)}…${apiKey.slice(-4)}` : NO_KEY;
  const whole = apiKey ?? NO_KEY;
  return (
    <Tabs value={agent} onValueChange={onAgent}>
      <TabsList aria-label="Agent">
        {setups.map(({ id, label }) => (
          <TabsTrigger key={id} value={id}>
            {label}
          </TabsTrigger>
        ))}
        <TabsTrigger value={REST}>REST</TabsTrigger>
      </TabsList>
      {setups.map((setup) => (
        <TabsContent key={setup.id} value={setup.id} className="flex flex-col gap-3">
          {signIn === "browser" && setup.browser ? (
            <WayBlocks shown={setup.browser(origin)} copied={setup.browser(origin)} />
          ) : (
            <>
              {signIn === "browser" ? <NeedsKey setup={setup} /> : null}
              <WayBlocks shown={setup.key(origin, masked)} copied={setup.key(origin, whole)} />
            </>
          )}
        </TabsContent>
      ))}
      <TabsContent value={REST} className="flex flex-col gap-3">
        <CodeBlock title="In a terminal" code={environmentOf(masked)} copyValue={environmentOf(whole)} />
        {restCalls(origin).map(({ title, code }) => (
          <CodeBlock key={title} title={title} code={code} wrap />
        ))}
      </TabsContent>
    </Tabs>
  );
}

const NeedsKey = ({ setup }: { setup: Setup }) => (
  <p className="text-muted-foreground">{setup.label} cannot sign in through a browser: it needs an API key.</p>
);

function WayBlocks({ shown, copied }: { shown: Way; copied: Way }) {
  return (
    <>
      {shown.before ? <p className="text-muted-foreground">{shown.before}</p> : null}
      {shown.blocks.map(({ title, code }, index) => (
        <CodeBlock key={title} title={title} code={code} copyValue={copied.blocks[index]?.code ?? code} wrap />
      ))}
      {shown.after ? <p className="text-muted-foreground">{shown.after}</p> : null}
    </>
  );
}
