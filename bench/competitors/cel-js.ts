import { Environment } from '@marcbachmann/cel-js';
import { caselessPattern } from '../cases/condition.js';
import { writeCel } from './cel.js';
import type { Competitor, Select } from './competitor.js';

export function createCelJs(): Competitor {
  // Names that were not declared are looked up in the row.
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  const compile = (form: string): Select => {
    const test = environment.parse(form);
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as Record<string, unknown>;
        if (test(row) === true) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'cel-js',
    manner: '@marcbachmann/cel-js; closures',
    write({ condition }) {
      // Its patterns are JavaScript's, which have no (?i) inside.
      const form = writeCel(condition, caselessPattern);
      return { form, compile: () => compile(form) };
    },
  };
}
