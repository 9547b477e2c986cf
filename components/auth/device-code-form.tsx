import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

/** Asks for the code that a program shows. A plain form: the address of the next page holds the code anyway. */
export function DeviceCodeForm({ typed, problem }: { typed: string; problem?: string | undefined }) {
  return (
    <form action="/device" method="get" className="flex flex-col gap-4">
      <Field label="Code" hint="Eight letters; dashes and capitals do not matter." error={problem} required>
        <Input
          name="user_code"
          defaultValue={typed}
          placeholder="XXXX-XXXX"
          required
          maxLength={20}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-mono text-lg uppercase tracking-widest"
        />
      </Field>
      <Button type="submit" variant="primary" size="lg">
        Continue
      </Button>
    </form>
  );
}
