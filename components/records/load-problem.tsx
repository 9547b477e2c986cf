"use client";

import { Card } from "#components/ui/card.tsx";
import type { ErrorStateProps } from "#components/ui/error-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { problemOf } from "./problem.ts";
import { SignInLink } from "./sign-in-link.tsx";

const ErrorState = onDemand<ErrorStateProps>(
  "What went wrong",
  () => import("#components/ui/error-state.tsx").then((module) => module.ErrorState),
  { loading: ({ title }) => <p className="px-4 py-5 font-medium">{title}</p> },
);

/** The state of a react-query request that may have failed. */
export type LoadState = { error: Error | null; isFetching: boolean; refetch: () => unknown };

type LoadProblemProps = Pick<ErrorStateProps, "title" | "action" | "className"> & {
  query: LoadState;
  /** A sentence after the error. */
  note?: string;
  /** Draws its own card. */
  card?: boolean;
};

/** Says what could not be loaded and offers another try; renders nothing when there is no error. */
export function LoadProblem({ query, note, card, action, ...looks }: LoadProblemProps) {
  if (!query.error) return null;
  const { message, requestId, signedOut } = problemOf(query.error);
  const state = (
    <ErrorState
      {...looks}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
      requestId={requestId}
      action={signedOut ? <SignInLink size="md" /> : action}
    >
      {note ? `${message} ${note}` : message}
    </ErrorState>
  );
  return card ? <Card>{state}</Card> : state;
}
