import type { Condition, Path } from '../cases/condition.js';
import { CannotExpress } from './competitor.js';

/** A query of MongoDB's language, which sift and mingo speak. */
export type MongoQuery = Readonly<Record<string, unknown>>;

/**
 * Writes a condition in MongoDB's language.
 *
 * @param equalDotted how the dialect compares a field whose name holds a dot, which a path of dots cannot name
 */
export function writeMongo(
  condition: Condition,
  equalDotted: (path: Path, value: unknown) => MongoQuery,
): MongoQuery {
  if (condition.is === 'both') return joinAll(condition.of.map((part) => writeMongo(part, equalDotted)));
  if (condition.is === 'either') return { $or: condition.of.map((part) => writeMongo(part, equalDotted)) };
  if (!condition.path.some((name) => name.includes('.'))) {
    return { [condition.path.join('.')]: demandOf(condition) };
  }
  if (condition.is === 'equal') return equalDotted(condition.path, condition.value);
  throw new CannotExpress('a path is cut at every dot, so a key with a dot has no name');
}

function demandOf(condition: Exclude<Condition, { readonly is: 'both' | 'either' }>): unknown {
  switch (condition.is) {
    case 'equal':
    case 'contains':
      // The same words: a value equals a list that holds it.
      return condition.value;
    case 'unequal':
      return { $ne: condition.value };
    case 'one-of':
      return { $in: condition.values };
    case 'starts-with':
      return new RegExp(`^${condition.text}`);
    case 'holds-any-case':
      return new RegExp(condition.text, 'i');
    case 'empty':
      return {};
    case 'some':
      return { $elemMatch: { [condition.field]: condition.value } };
  }
}

/** One query with all the demands, which is shorter and faster than `$and`, unless two are about the same field. */
function joinAll(parts: readonly MongoQuery[]): MongoQuery {
  const joined = Object.assign({}, ...parts) as MongoQuery;
  const demands = parts.reduce((count, part) => count + Object.keys(part).length, 0);
  return Object.keys(joined).length === demands ? joined : { $and: parts };
}

/** For display: JSON with the patterns readable. */
export function printMongo(query: MongoQuery): string {
  return JSON.stringify(query, (_key, value: unknown) => (value instanceof RegExp ? String(value) : value));
}
