"use client";

import { Select } from "#components/ui/select.tsx";
import { reaches, type ShareLevel, shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { shareWords } from "./share-words.ts";

type ShareSelectProps = {
  value: ShareLevel;
  /** The most that the workspace allows. */
  ceiling?: ShareLevel;
  onChange: (share: ShareLevel) => void;
  /** What each level is called; of mail, if not given. */
  words?: Readonly<Record<ShareLevel, { label: string }>>;
  disabled?: boolean;
  size?: "sm" | "md";
  className?: string;
  "aria-label"?: string;
};

/** How much of some mail or meetings the others see. */
export function ShareSelect({
  value,
  ceiling = "everything",
  onChange,
  words = shareWords,
  ...props
}: ShareSelectProps) {
  const options = shareLevels
    .filter((level) => reaches(ceiling, level) || level === value)
    .map((level) => ({ value: level, label: words[level].label }));
  return <Select<ShareLevel> {...props} options={options} value={value} onValueChange={onChange} />;
}
