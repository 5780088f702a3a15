export {
  createFilterSet,
  type FilterSet,
  type FilterSetIndexStats,
  type FilterSetMatchOptions,
  type FilterSetStats,
} from './filter-set.js';
export type { FilterSetOptions } from './set-options.js';
export type { FilterFailure, FilterSetChange, FilterSetMatch } from './set-match.js';
export type { CandidateExplanation, FilterAccess } from './set-explanation.js';
