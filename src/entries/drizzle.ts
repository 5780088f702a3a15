export { fromDrizzle, type DrizzleOptions, type DrizzleTable } from '../sql/drizzle.js';
