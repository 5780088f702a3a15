import { inSlices } from '../pace/in-slices.js';
import type { AskedRows } from './asked-rows.js';
import { countFacets, type FacetCounts } from './count-facets.js';
import type { FacetField } from './facet-query.js';
import { scanRequestOf } from './row-source.js';
import { ScanPace } from './scan-pace.js';

/** As the function of this name in `on-demand.ts`. */
export function countRows<T>(
  { view, question, slices }: AskedRows<T>,
  fields: readonly FacetField<T>[],
  signal: AbortSignal | null,
): Promise<FacetCounts> {
  const { path, where, viewer } = scanRequestOf(view, question);
  const pace = new ScanPace();
  const work = countFacets({ selection: view.selection, path, where, viewer, fields, pace });
  return inSlices(work, slices, signal, () => pace.begin());
}
