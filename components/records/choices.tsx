import { Button } from "#components/ui/button.tsx";
import { walkByArrows, walked } from "./arrow-walk.ts";
import type { Choice, PlaceValue } from "./list-kind.ts";

type ChoicesProps = { choices: readonly Choice[]; value: PlaceValue; onChoice: (value: string) => void };

/** One of several values; the arrow keys walk through them. */
export function Choices({ choices, value, onChoice }: ChoicesProps) {
  return (
    <ul onKeyDown={walkByArrows} className="flex flex-col">
      {choices.map((choice, index) => (
        <li key={choice.value}>
          <Button
            {...walked}
            autoFocus={index === 0}
            variant="ghost"
            aria-pressed={String(value) === choice.value}
            onClick={() => onChoice(choice.value)}
            className="w-full justify-start px-2 font-normal aria-pressed:font-medium"
          >
            <span className="truncate">{choice.label}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
