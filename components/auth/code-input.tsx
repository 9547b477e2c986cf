import { Input, type InputProps } from "#components/ui/input.tsx";

/** A code of an app or a recovery code, which has letters. */
export const CodeInput = (props: Omit<InputProps, "type">) => (
  <Input {...props} autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} maxLength={40} />
);
