import { Bot, FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { LookAround } from "#components/sample-data/look-around.tsx";
import type { SampleData } from "#components/sample-data/use-sample-data.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";

/** The two ways to begin, alike: with one's own agent, or with made-up people. */
export function WelcomeCards({ sample }: { sample: SampleData }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Way
        icon={<Bot aria-hidden="true" />}
        title="Connect an agent"
        text="Claude Code, Codex, Cursor or any MCP client. It takes about two minutes."
      >
        <Button asChild>
          <a href="#steps">Show the steps</a>
        </Button>
      </Way>
      <Way
        icon={<FlaskConical aria-hidden="true" />}
        title="Look around first"
        text="200 made-up people at 40 companies, with a year of activity. Removed in one click."
      >
        <LookAround variant="secondary" initial={sample} />
      </Way>
    </div>
  );
}

type WayProps = { icon: ReactNode; title: string; text: string; children: ReactNode };

function Way({ icon, title, text, children }: WayProps) {
  return (
    <Card className="flex flex-col items-start gap-3 px-4 py-4 [&>svg]:size-5 [&>svg]:text-muted-foreground">
      {icon}
      <div className="flex-1">
        <h2 className="font-semibold text-base">{title}</h2>
        <p className="text-pretty text-muted-foreground">{text}</p>
      </div>
      {children}
    </Card>
  );
}
