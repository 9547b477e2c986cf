import { isStage, type Stage } from "#components/records/stages.ts";

/** A card that is held: by pointer or by keyboard, and over which column it is. */
export type DraggedCard = { id: string; from: Stage; over: Stage | null; by: "pointer" | "keyboard" };

/** A mouse has to move so far before the card is held: a click is a click. */
const THRESHOLD = 5;
/** A finger has to rest so long: until then it scrolls. */
const LONG_PRESS_MS = 300;
/** So near to the side of the board it scrolls. */
const EDGE = 48;
const SCROLL_STEP = 14;

type PointerPress = { id: string; from: Stage; x: number; y: number; pointerId: number };

type Means = {
  /** What is held changed. */
  show: (dragged: DraggedCard | null) => void;
  drop: (id: string, to: Stage) => void;
  /** What follows the pointer. */
  ghost: () => HTMLElement | null;
};

/** Moves a card between columns, which have `data-stage`, by pointer. The board scrolls when the card is at its side. */
export class PointerDrag {
  private readonly means: Means;
  private board: HTMLElement | null = null;
  private pressed: PointerPress | null = null;
  private resting: number | null = null;
  private held: DraggedCard | null = null;
  private at = { x: 0, y: 0 };
  /** A card was just let go: the click that follows is none. */
  private letGo = false;

  constructor(means: Means) {
    this.means = means;
  }

  /** Follows the pointer until the returned function is called. */
  watch(board: HTMLElement): () => void {
    this.board = board;
    const watching = new AbortController();
    const { signal } = watching;
    window.addEventListener("pointermove", (event) => this.move(event), { signal });
    window.addEventListener("pointerup", () => this.release(true), { signal });
    window.addEventListener("pointercancel", () => this.release(false), { signal });
    window.addEventListener("keydown", (event) => this.key(event), { signal, capture: true });
    // A card that is held does not scroll the page. The listener has to be there before the finger is.
    board.addEventListener("touchmove", (event) => this.refuse(event), { signal, passive: false });
    board.addEventListener("contextmenu", (event) => this.refuse(event), { signal });
    board.addEventListener("click", (event) => this.click(event), { signal, capture: true });
    return () => {
      watching.abort();
      this.release(false);
      this.board = null;
    };
  }

  press(event: { pointerId: number; pointerType: string; clientX: number; clientY: number }, id: string, from: Stage) {
    this.at = { x: event.clientX, y: event.clientY };
    this.pressed = { id, from, ...this.at, pointerId: event.pointerId };
    if (event.pointerType === "touch") this.resting = window.setTimeout(() => this.begin(), LONG_PRESS_MS);
  }

  private begin(): void {
    this.resting = null;
    if (!this.pressed) return;
    const { id, from } = this.pressed;
    this.hold({ id, from, over: from, by: "pointer" });
    this.scroll();
  }

  private hold(dragged: DraggedCard | null): void {
    this.held = dragged;
    this.means.show(dragged);
  }

  private move(event: PointerEvent): void {
    this.at = { x: event.clientX, y: event.clientY };
    const { pressed } = this;
    if (!pressed || pressed.pointerId !== event.pointerId) return;
    const isStill = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < THRESHOLD;
    if (this.held) this.follow();
    else if (isStill) return;
    else if (this.resting === null) this.begin();
    else this.release(false); // a finger that moves at once scrolls
  }

  private follow(): void {
    const { x, y } = this.at;
    const ghost = this.means.ghost();
    if (ghost) ghost.style.transform = `translate(${x + 8}px, ${y + 8}px)`;
    const stage = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-stage]")?.dataset.stage;
    const over = isStage(stage) ? stage : null;
    if (this.held && this.held.over !== over) this.hold({ ...this.held, over });
  }

  private scroll(): void {
    if (!this.held || !this.board) return;
    const { left, right } = this.board.getBoundingClientRect();
    if (this.at.x < left + EDGE) this.board.scrollLeft -= SCROLL_STEP;
    else if (this.at.x > right - EDGE) this.board.scrollLeft += SCROLL_STEP;
    this.follow();
    requestAnimationFrame(() => this.scroll());
  }

  private release(drops: boolean): void {
    if (this.resting !== null) clearTimeout(this.resting);
    this.resting = null;
    this.pressed = null;
    const { held } = this;
    if (!held) return;
    this.hold(null);
    this.letGo = true;
    setTimeout(() => {
      this.letGo = false;
    }, 0);
    if (drops && held.over && held.over !== held.from) this.means.drop(held.id, held.over);
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.held) return;
    event.preventDefault();
    event.stopPropagation();
    this.release(false);
  }

  private refuse(event: Event): void {
    if (this.held && event.cancelable) event.preventDefault();
  }

  private click(event: Event): void {
    if (!this.letGo) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
