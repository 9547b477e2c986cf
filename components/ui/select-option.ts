import type { ReactNode } from "react";

export type SelectOption<Value extends string = string> = {
  value: Value;
  label: string;
  description?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
};
