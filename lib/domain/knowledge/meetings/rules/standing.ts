import type { GuestAnswer } from "../words.ts";

/** Someone who is invited, by a valid address in lower case. `outside`: not of the company. */
export type Guest = { address: string; answer: GuestAnswer; outside: boolean };

/** A meeting as one calendar has it. */
export type Copy = {
  startsAt: Date;
  endsAt: Date;
  sequence: number;
  cancelled: boolean;
  /** its member declined */
  declined: boolean;
  organizes: boolean;
  /** it was taken out of the calendar before it was over */
  gone: boolean;
  guests: readonly Guest[];
  readAt: Date;
};

/** How a meeting stands. `changedAt`: when a calendar last said so. */
export type Standing = {
  startsAt: Date;
  endsAt: Date;
  isOn: boolean;
  /** it does not take place, rather than without us */
  isCancelled: boolean;
  answers: ReadonlyMap<string, GuestAnswer>;
  changedAt: Date;
};

/**
 * How a meeting stands by all calendars that have it: as the copy says that was changed most often by its organizer, else the organizer's
 * own, else the one that was read last. It is off once no one of the company has it any more, or all of them declined.
 */
export function standingOf(copies: readonly Copy[]): Standing | null {
  const there = copies.filter(({ gone }) => !gone);
  const [top] = (there.length > 0 ? there : copies).toSorted(
    (a, b) =>
      b.sequence - a.sequence || Number(b.organizes) - Number(a.organizes) || b.readAt.getTime() - a.readAt.getTime(),
  );
  if (!top) return null;
  return {
    startsAt: top.startsAt,
    endsAt: top.endsAt,
    isOn: !top.cancelled && there.some(({ declined }) => !declined),
    isCancelled: top.cancelled || (top.gone && top.organizes),
    answers: new Map(top.guests.filter(({ outside }) => outside).map(({ address, answer }) => [address, answer])),
    changedAt: top.readAt,
  };
}

const order: readonly GuestAnswer[] = ["accepted", "tentative", "none", "declined"];

/** The answer of a person who is invited by some addresses; null: by none of them any more. */
export const answerOf = ({ answers }: Standing, addresses: readonly string[]): GuestAnswer | null =>
  order.find((answer) => addresses.some((address) => answers.get(address) === answer)) ?? null;
