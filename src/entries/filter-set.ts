export {
  createFilterSet,
  type FilterSet,
  type FilterSetIndexStats,
  type FilterSetMatchOptions,
  type FilterSetStats,
} from '../filter/filter-set/filter-set.js';
export type { FilterSetOptions } from '../filter/filter-set/set-options.js';
export type { FilterFailure, FilterSetChange, FilterSetMatch } from '../filter/filter-set/set-match.js';
export type { CandidateExplanation, FilterAccess } from '../filter/filter-set/set-explanation.js';
