import { createSpecialise } from '../../src/filter/specialise/specialise.js';

/** Code for every filter, from the first row on. */
export const eager = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity });
