export { createFilterBox, type FilterBox, type FilterBoxProps } from './filter-box/filter-box.js';
export { plainInput } from './filter-box/plain-input.js';
export type {
  FilterLanguage,
  Fix,
  Mark,
  Offer,
  Offers,
  Note,
  TextRange,
} from './filter-box/filter-language.js';
