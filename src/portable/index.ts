export { portable, type Portable, type PortableOptions } from './portable.js';
export { renderClause, type UnportableClause, type UnportableCode } from './unportable-clause.js';
