import { useMemo, useRef } from "react";
import { type Columns, columnsOf, sameColumns } from "./columns.ts";
import type { Column, ListedRecord, Place } from "./list-kind.ts";

type Means<Row extends ListedRecord> = {
  own: readonly Column<Row>[];
  rows: readonly Row[];
  place: Place;
  standard?: readonly string[];
  propertyNames?: readonly string[];
};

/** The columns of a list, the same objects until they are others. */
export function useColumns<Row extends ListedRecord>({ own, rows, place, standard, propertyNames }: Means<Row>) {
  const kept = useRef<{ own: readonly Column<Row>[]; columns: Columns<Row> }>(null);
  const next = useMemo(
    () => columnsOf(own, rows, place, { ...(standard && { standard }), ...(propertyNames && { propertyNames }) }),
    [own, rows, place, standard, propertyNames],
  );
  const columns = sameColumns(kept.current?.own === own ? kept.current.columns : null, next);
  kept.current = { own, columns };
  return columns;
}
