/** How much of a member's mail the others see; each level includes those before it. */
export const shareLevels = ["nothing", "metadata", "subject", "everything"] as const;
export type ShareLevel = (typeof shareLevels)[number];

/** Whether what is shared at one level includes another. */
export const reaches = (level: ShareLevel, needed: ShareLevel): boolean =>
  shareLevels.indexOf(level) >= shareLevels.indexOf(needed);

/** How much the viewer sees of what they have themselves, or someone shares. */
export const levelOf = ({ mine, shared }: { mine: boolean; shared: ShareLevel }): ShareLevel =>
  mine ? "everything" : shared;

export const leastOpen = (levels: readonly ShareLevel[]): ShareLevel =>
  levels.reduce((least, level) => (reaches(level, least) ? least : level));

/** The most open of some levels; `nothing` of none. */
export const mostOpen = (levels: readonly ShareLevel[]): ShareLevel =>
  levels.reduce<ShareLevel>((most, level) => (reaches(level, most) ? level : most), "nothing");

export const messageTypes = ["email_sent", "email_received", "email_bounced"] as const;
export type MessageType = (typeof messageTypes)[number];

/** The source of what mail says on a timeline. An agent that reports the same message gives it, and the Message-ID. */
export const MAIL_SOURCE = "email";
