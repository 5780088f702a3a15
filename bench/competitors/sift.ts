import sift from 'sift';
import { CannotExpress, type Competitor, type Select } from './competitor.js';
import { printMongo, writeMongo, type MongoQuery } from './mongo.js';

export function createSift(): Competitor {
  const compile = (query: MongoQuery): Select => {
    const test = sift.default(query);
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index];
        if (test(row)) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'sift',
    manner: 'closures',
    write({ condition }) {
      const query = writeMongo(condition, () => {
        throw new CannotExpress('a path is cut at every dot, so a key with a dot has no name');
      });
      return { form: printMongo(query), compile: () => compile(query) };
    },
  };
}
