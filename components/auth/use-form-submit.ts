import { useState } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { ApiError, fieldProblems } from "#components/api.ts";
import { failureOf } from "#components/ui/failure.ts";

/** Submits a form: errors about fields are shown beside them and the first focused, any other error is `failure`. */
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
      const message = failureOf(error);
      const fault = error instanceof ApiError ? error : null;
      const problems = fault ? fieldProblems(fault).filter(({ parameter }) => parameter in values) : [];
      for (const [at, { parameter, message }] of problems.entries())
        form.setError(
          parameter as FieldPath<Values>,
          { message, ...(fault ? { type: fault.code } : {}) },
          { shouldFocus: at === 0 },
        );
      if (problems.length === 0) setFailure(message);
    }
  });

  return { submit, failure, busy: form.formState.isSubmitting };
}
