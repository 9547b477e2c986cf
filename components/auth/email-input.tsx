import { Input, type InputProps } from "#components/ui/input.tsx";

/** An e-mail address. Without another `autoComplete` it is the one that the reader signs in with. */
export const EmailInput = (props: Omit<InputProps, "type">) => (
  <Input type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
);
