import { useState } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { ApiError } from "#components/api.ts";

/** Submits a form: an error about one field is shown beside it and the field focused, any other error is `failure`. */
export function useFormSubmit<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  work: (values: Values) => Promise<void>,
) {
  const [failure, setFailure] = useState<string | null>(null);

  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      await work(values);
    } catch (error) {
      const message = error instanceof Error ? error.message : "That did not work. Try again.";
      const field = error instanceof ApiError ? error.extras.parameter : undefined;
      if (typeof field === "string" && field in values)
        form.setError(field as FieldPath<Values>, { message }, { shouldFocus: true });
      else setFailure(message);
    }
  });

  return { submit, failure, busy: form.formState.isSubmitting };
}
