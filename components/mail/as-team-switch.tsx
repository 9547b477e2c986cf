"use client";

import { Switch, type SwitchProps } from "#components/ui/switch.tsx";

/** Shows mail as everyone else in the workspace sees it. */
export const AsTeamSwitch = (props: Pick<SwitchProps, "checked" | "onCheckedChange">) => (
  <Switch {...props} label="As my team sees it" />
);
