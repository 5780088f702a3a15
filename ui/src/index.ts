import { TamisFilter } from './element.js';

export { TamisFilter, type FilterEventDetail, type SavedFilter } from './element.js';
export type { Fix, Mark, TextRange } from './filter-box/filter-language.js';

// On a server that renders the page there are no custom elements.
if (globalThis.customElements?.get('tamis-filter') === undefined)
  globalThis.customElements?.define('tamis-filter', TamisFilter);
