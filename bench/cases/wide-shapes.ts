import { compileFunction } from 'node:vm';
import { both, equal, unequal, type Condition } from './condition.js';
import { fieldCount, type WideNames, type WideRow } from '../data/wide.js';

/** A filter without its literal, and the loop by hand for it. */
export interface Shape {
  readonly name: string;
  /** The filter with the n-th literal. */
  readonly condition: (turn: number) => Condition;
  readonly byHand: (rows: readonly WideRow[], turn: number) => WideRow[];
}

/** How the shapes of a kind are made for the n-th of its fields. */
interface Kind {
  readonly name: string;
  readonly condition: (names: WideNames, field: number, value: string | number) => Condition;
  /** What one would write by hand about `row` and the literal `wanted`; lists have an inner loop. */
  readonly test: (names: WideNames, field: number) => { readonly list?: string; readonly is: string };
  readonly evaluates: 'text' | 'number';
}

/** Ten kinds for ten fields each: a hundred shapes. */
export function createShapes(names: WideNames): Shape[] {
  return kinds.flatMap((kind) =>
    Array.from({ length: fieldCount }, (_, field) => {
      const valueOf = (turn: number): string | number => literalOf(names, kind.evaluates, turn);
      const loop = writeLoop(kind.test(names, field));
      return {
        name: `${kind.name} ${field}`,
        condition: (turn) => kind.condition(names, field, valueOf(turn)),
        byHand: (rows, turn) => loop(rows, valueOf(turn)),
      };
    }),
  );
}

/** As many strings as requested; the first ones occur in rows. */
function literalOf({ words }: WideNames, evaluates: Kind['evaluates'], turn: number): string | number {
  if (evaluates === 'number') return turn;
  // The remainder is below the number of words.
  const word = words[turn % words.length] as string;
  return turn < words.length ? word : `${word}${turn}`;
}

type Loop = (rows: readonly WideRow[], requested: string | number) => WideRow[];

/**
 * The loop as in a real program, with the names in it. A hundred of them are not written by hand, and one that takes the name as
 * a parameter would not be what is written by hand.
 */
function writeLoop({ list, is }: { readonly list?: string; readonly is: string }): Loop {
  const body =
    list === undefined
      ? `if (${is}) selected.push(row);`
      : `const list = ${list};
         for (let position = 0; position < list.length; position += 1) {
           const element = list[position];
           if (!(${is})) continue;
           selected.push(row);
           break;
         }`;
  const text = `
    const selected = [];
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index];
      ${body}
    }
    return selected;`;
  // The function takes what is named here and returns rows of its list.
  return compileFunction(text, ['rows', 'wanted']) as Loop;
}

/** The n-th of a list of ten. */
function at(names: readonly string[], index: number): string {
  return names[index % fieldCount] ?? '';
}

function read(name: string): string {
  return `row[${JSON.stringify(name)}]`;
}

const kinds: readonly Kind[] = [
  {
    name: 'text ==',
    condition: ({ texts }, field, value) => equal(at(texts, field), value),
    test: ({ texts }, field) => ({ is: `${read(at(texts, field))} === wanted` }),
    evaluates: 'text',
  },
  {
    name: 'text !=',
    condition: ({ texts }, field, value) => unequal(at(texts, field), value),
    test: ({ texts }, field) => ({ is: `${read(at(texts, field))} !== wanted` }),
    evaluates: 'text',
  },
  {
    name: 'number ==',
    condition: ({ numbers }, field, value) => equal(at(numbers, field), value),
    test: ({ numbers }, field) => ({ is: `${read(at(numbers, field))} === wanted` }),
    evaluates: 'number',
  },
  {
    name: 'nested ==',
    condition: ({ structs, inner }, field, value) => equal([at(structs, field), inner], value),
    test: ({ structs, inner }, field) => ({
      is: `${read(at(structs, field))}[${JSON.stringify(inner)}] === wanted`,
    }),
    evaluates: 'number',
  },
  {
    name: 'in list',
    condition: ({ lists }, field, value) => ({
      is: 'contains',
      path: [at(lists, field)],
      value: String(value),
    }),
    test: ({ lists }, field) => ({ list: read(at(lists, field)), is: 'element === wanted' }),
    evaluates: 'text',
  },
  {
    name: 'matches ^',
    condition: ({ texts }, field, value) => ({
      is: 'starts-with',
      path: [at(texts, field)],
      text: String(value),
    }),
    test: ({ texts }, field) => ({ is: `${read(at(texts, field))}.startsWith(wanted)` }),
    evaluates: 'text',
  },
  {
    name: 'and of two',
    condition: ({ texts, numbers, words }, field, value) =>
      both(equal(at(texts, field), at(words, 0)), equal(at(numbers, field), value)),
    test: ({ texts, numbers, words }, field) => ({
      is: `${read(at(texts, field))} === ${JSON.stringify(at(words, 0))} && ${read(at(numbers, field))} === wanted`,
    }),
    evaluates: 'number',
  },
  {
    name: 'and of three',
    condition: ({ texts, numbers, words }, field, value) =>
      both(
        unequal(at(texts, field), at(words, 1)),
        equal(at(texts, field + 1), at(words, 2)),
        equal(at(numbers, field), value),
      ),
    test: ({ texts, numbers, words }, field) => ({
      is: [
        `${read(at(texts, field))} !== ${JSON.stringify(at(words, 1))}`,
        `${read(at(texts, field + 1))} === ${JSON.stringify(at(words, 2))}`,
        `${read(at(numbers, field))} === wanted`,
      ].join(' && '),
    }),
    evaluates: 'number',
  },
  {
    name: 'or of two',
    condition: ({ texts, words }, field, value) => ({
      is: 'either',
      of: [equal(at(texts, field), at(words, 3)), equal(at(texts, field + 1), value)],
    }),
    test: ({ texts, words }, field) => ({
      is: `${read(at(texts, field))} === ${JSON.stringify(at(words, 3))} || ${read(at(texts, field + 1))} === wanted`,
    }),
    evaluates: 'text',
  },
  {
    name: 'any',
    condition: ({ groups, inner }, field, value) => ({
      is: 'some',
      path: [at(groups, field)],
      field: inner,
      value: String(value),
    }),
    test: ({ groups, inner }, field) => ({
      list: read(at(groups, field)),
      is: `element[${JSON.stringify(inner)}] === wanted`,
    }),
    evaluates: 'text',
  },
];
