"use client";

import { Card } from "#components/ui/card.tsx";
import { ErrorState, type ErrorStateProps } from "#components/ui/error-state.tsx";
import { problemOf } from "./problem.ts";
import { SignInLink } from "./sign-in-link.tsx";

/** What react-query tells of a request that may have failed. */
export type Loaded = { error: Error | null; isFetching: boolean; refetch: () => unknown };

type LoadProblemProps = Pick<ErrorStateProps, "title" | "action" | "className"> & {
  query: Loaded;
  /** A sentence after what went wrong. */
  note?: string;
  /** A card of its own. */
  card?: boolean;
};

/** What could not be loaded, and another try; nothing where nothing is wrong. */
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
