/**
 * Keys and clicks do nothing on what only shows a viewer a value; its style keeps the pointer away (globals.css). Returns what
 * ends that.
 */
export function holdWrites(): () => void {
  const hold = (event: Event) => {
    if (event instanceof KeyboardEvent && !["Enter", " ", "ArrowDown"].includes(event.key)) return;
    if (!(event.target instanceof Element) || !event.target.closest("[data-writes=shown]")) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", hold, true);
  document.addEventListener("click", hold, true);
  return () => {
    document.removeEventListener("keydown", hold, true);
    document.removeEventListener("click", hold, true);
  };
}
