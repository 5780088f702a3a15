import { LogicEngine } from 'json-logic-engine';
import type { Condition, Path } from '../cases/condition.js';
import { CannotExpress, type Competitor, type Select } from './competitor.js';

/** JSON Logic, through the engine that compiles it to JavaScript. */
export function createJsonLogicEngine(): Competitor {
  const engine = new LogicEngine();
  const compile = (rule: object): Select => {
    const test = engine.build(rule) as (row: unknown) => unknown;
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
    name: 'json-logic-engine',
    manner: 'generates code; build()',
    write({ condition }) {
      const rule = write(condition);
      return { form: JSON.stringify(rule), compile: () => compile(rule) };
    },
  };
}

function write(condition: Condition): object {
  switch (condition.is) {
    case 'equal':
      return { '===': [read(condition.path), condition.value] };
    case 'unequal':
      return { '!==': [read(condition.path), condition.value] };
    case 'one-of':
      return { in: [read(condition.path), condition.values] };
    case 'contains':
      return { in: [condition.value, read(condition.path)] };
    case 'starts-with':
      return { '===': [{ substr: [read(condition.path), 0, condition.text.length] }, condition.text] };
    case 'holds-any-case':
      throw new CannotExpress('has neither patterns nor lower case');
    case 'empty':
      return { '===': [{ length: { keys: read(condition.path) } }, 0] };
    case 'some':
      return { some: [read(condition.path), { '===': [{ val: condition.field }, condition.value] }] };
    case 'both':
      return { and: condition.of.map(write) };
    case 'either':
      return { or: condition.of.map(write) };
  }
}

function read(path: Path): object {
  return { val: path.length === 1 ? path[0] : path };
}
