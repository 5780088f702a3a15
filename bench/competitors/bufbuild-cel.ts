import { celEnv, parse, plan, type CelInput } from '@bufbuild/cel';
import { writeCel } from './cel.js';
import type { Competitor, Select } from './competitor.js';

export function createBufbuildCel(): Competitor {
  const environment = celEnv();
  const compile = (form: string): Select => {
    const test = plan(environment, parse(form));
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as Record<string, CelInput>;
        if (test(row) === true) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'bufbuild-cel',
    manner: '@bufbuild/cel; closures',
    write({ condition }) {
      const form = writeCel(condition, (text) => `(?i)${text}`);
      return { form, compile: () => compile(form) };
    },
  };
}
