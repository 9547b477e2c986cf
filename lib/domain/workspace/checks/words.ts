type State = "fine" | "warning" | "failing";
const order: readonly State[] = ["fine", "warning", "failing"];

/** The state of the whole: that of its worst part. */
export const worstOf = (parts: readonly { state: State }[]): State =>
  parts.reduce<State>((worst, { state }) => (order.indexOf(state) > order.indexOf(worst) ? state : worst), "fine");
