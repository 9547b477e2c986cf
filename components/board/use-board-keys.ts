import type { KeyboardEvent, RefObject } from "react";
import { readsOnly } from "#components/frame/commands.ts";
import { isStage, type Stage, stageLabels } from "#components/records/stages.ts";
import type { DraggedCard } from "./pointer-drag.ts";

type Means = {
  box: RefObject<HTMLElement | null>;
  /** The columns, in order. */
  stages: readonly Stage[];
  dragged: DraggedCard | null;
  hold: (dragged: DraggedCard | null) => void;
  say: (words: string) => void;
  nameOf: (id: string) => string;
  drop: (id: string, to: Stage) => void;
};

/** The link of a card, and where it is. */
const CARD = "[data-card]";

/**
 * The keys of a board. Arrows go from card to card; Space picks the card up, then the left and right arrows choose a column, Space
 * or Enter drops it and Escape leaves it where it was.
 */
export function useBoardKeys(means: Means): (event: KeyboardEvent) => void {
  const { dragged: held } = means;
  return (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const link = event.target as HTMLElement;
    const card = link.closest<HTMLElement>(CARD);
    if (!card || link.tagName !== "A") return;
    const done = held?.by === "keyboard" ? whileHeld(means, held, event.key) : whileFree(means, card, event.key);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Whether the key was one of the board's. */
function whileHeld({ stages, hold, say, nameOf, drop }: Means, held: DraggedCard, key: string): boolean {
  const over = held.over ?? held.from;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step !== undefined) {
    const next = stages[stages.indexOf(over) + step];
    if (next) {
      hold({ ...held, over: next });
      say(stageLabels[next]);
    }
    return true;
  }
  if (key === " " || key === "Enter") {
    hold(null);
    if (over === held.from) say(`${nameOf(held.id)} stays in ${stageLabels[over]}.`);
    else drop(held.id, over);
    return true;
  }
  if (key === "Escape") {
    hold(null);
    say(`Cancelled. ${nameOf(held.id)} stays in ${stageLabels[held.from]}.`);
    return true;
  }
  return key === "ArrowUp" || key === "ArrowDown";
}

function whileFree({ box, stages, hold, say, nameOf }: Means, card: HTMLElement, key: string): boolean {
  const from = card.closest<HTMLElement>("[data-stage]")?.dataset.stage;
  const id = card.dataset.card;
  if (id === undefined || !isStage(from)) return false;
  if (key === " ") {
    if (readsOnly()) return true;
    hold({ id, from, over: from, by: "keyboard" });
    say(`${nameOf(id)} picked up, in ${stageLabels[from]}.`);
    return true;
  }
  const cardsOf = (stage: Stage | undefined) => [
    ...(box.current?.querySelectorAll<HTMLElement>(`[data-stage="${stage}"] ${CARD}`) ?? []),
  ];
  const here = cardsOf(from);
  const place = here.indexOf(card);
  const focus = (next: HTMLElement | undefined) => next?.querySelector<HTMLElement>("a")?.focus();
  if (key === "ArrowDown" || key === "ArrowUp") {
    focus(here[place + (key === "ArrowDown" ? 1 : -1)]);
    return true;
  }
  if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
  const step = key === "ArrowRight" ? 1 : -1;
  for (let at = stages.indexOf(from) + step; at >= 0 && at < stages.length; at += step) {
    const there = cardsOf(stages[at]);
    if (there.length === 0) continue;
    focus(there[Math.min(place, there.length - 1)]);
    break;
  }
  return true;
}
