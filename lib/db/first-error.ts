import pg from "pg";

/** in_failed_sql_transaction */
const ABORTED = "25P02";

/** The error that aborted a transaction: statements after it only report that it is aborted, and may be answered first. */
export class FirstError {
  private first: unknown;

  note(error: unknown): void {
    this.first ??= error;
  }

  /** The cause of a failure, given the error that was thrown. */
  causeOf(thrown: unknown): unknown {
    return thrown instanceof pg.DatabaseError && thrown.code === ABORTED ? (this.first ?? thrown) : thrown;
  }
}
