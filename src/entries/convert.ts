export type { Conversion, ConversionProblem, ConvertOptions } from '../tools/convert/conversion.js';
export {
  fromAgGrid,
  toAgGrid,
  type AgGridCondition,
  type AgGridFilter,
  type AgGridModel,
  type AgGridOptions,
} from '../tools/convert/ag-grid.js';
export {
  fromQueryBuilder,
  toQueryBuilder,
  type QueryBuilderGroup,
  type QueryBuilderRule,
} from '../tools/convert/query-builder.js';
export { fromOData } from '../tools/convert/from-odata.js';
export { toOData } from '../tools/convert/to-odata.js';
