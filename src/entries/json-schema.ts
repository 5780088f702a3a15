export { fromJSONSchema, type JSONSchemaLimits } from '../language/schema/json-schema.js';
