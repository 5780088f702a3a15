export { portable, type Portable, type PortableOptions } from '../tools/portable/portable.js';
export {
  renderClause,
  type UnportableClause,
  type UnportableCode,
} from '../tools/portable/unportable-clause.js';
