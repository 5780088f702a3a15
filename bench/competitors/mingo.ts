import { Query } from 'mingo';
import type { Competitor, Select } from './competitor.js';
import { printMongo, writeMongo, type MongoQuery } from './mongo.js';

export function createMingo(): Competitor {
  const compile = (query: MongoQuery): Select => {
    const compiled = new Query({ ...query });
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as Record<string, unknown>;
        if (compiled.test(row)) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'mingo',
    manner: 'closures',
    write({ condition }) {
      const query = writeMongo(condition, equalDotted);
      return { form: printMongo(query), compile: () => compile(query) };
    },
  };
}

function equalDotted([first = '', field, ...rest]: readonly string[], value: unknown): MongoQuery {
  if (rest.length > 0) throw new RangeError('only the last name may hold a dot');
  return { $expr: { $eq: [{ $getField: { field, input: `$${first}` } }, value] } };
}
