export { fromZod, type ZodType } from '../language/schema/zod.js';
