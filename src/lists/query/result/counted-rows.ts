import { runInSlices } from '../../../runtime/run-in-slices.js';
import type { RowScan } from './row-scan.js';
import { countFacets, type FacetCounts, type FacetRequest } from '../scan/count-facets.js';
import type { FacetField } from '../request/facet-query.js';
import { scanRequestOf } from '../source/row-source.js';
import { ScanRate } from '../scan/scan-rate.js';

/** Implements `countRows` of `lazy-features.ts`. */
export function countRows<T>(
  { view, query, slices }: RowScan<T>,
  fields: readonly FacetField<T>[],
  signal: AbortSignal | null,
  { budget, tallies }: Pick<FacetRequest<T>, 'budget' | 'tallies'> = {},
): Promise<FacetCounts> {
  const { path, where, viewer } = scanRequestOf(view, query);
  const pace = new ScanRate();
  const given = {
    ...(budget === undefined ? {} : { budget }),
    ...(tallies === undefined ? {} : { tallies }),
  };
  const work = countFacets({ selection: view.selection, path, where, viewer, fields, pace, ...given });
  return runInSlices(work, slices, signal, () => pace.begin());
}
