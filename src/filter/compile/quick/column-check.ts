import { boolEquality, numberEquality, textEquality, type QuickCheck, type QuickTemplate } from './check.js';

/** A check of many values. Of the first `count` selected values it keeps those whose result is `wanted`, in order. */
export type ColumnCheck = (
  column: readonly unknown[],
  selection: Uint16Array,
  count: number,
  expected: boolean,
  exit: ColumnExit,
) => number;

/** Callbacks for values that a check does not handle. */
export interface ColumnExit {
  /** Returns the result for the value at this index. Never throws. */
  readonly unexpected: (at: number) => boolean;
  /** Returns the result of a clause that may have to be charged, for the value at this index. Never throws. */
  readonly evaluate: (at: number, clause: () => boolean) => boolean;
  /** Records that reading the value at this index throws. Later values are ignored. */
  readonly fail: (at: number, error: unknown) => void;
}

/**
 * Creates the check of a match over a column. The most common checks have their own loops; others call the check for each value.
 */
export function createColumnCheck({ template, operands }: QuickCheck, isNegated: boolean): ColumnCheck {
  const ownLoop = ownLoops.get(template);
  if (ownLoop !== undefined) return ownLoop(operands[0], isNegated);
  const test = template.test(operands);
  return (column, selection, count, expected, { unexpected, fail }) => {
    let selected = 0;
    let at = 0;
    try {
      for (; at < count; at += 1) {
        const matches = test(column[at]);
        if ((matches === undefined ? unexpected(at) : matches !== isNegated) !== expected) continue;
        selection[selected] = selection[at] ?? 0;
        selected += 1;
      }
    } catch (error) {
      fail(at, error);
    }
    return selected;
  };
}

const ownLoops: ReadonlyMap<QuickTemplate, (operand: unknown, isNegated: boolean) => ColumnCheck> = new Map([
  [textEquality, (operand: unknown, isNegated: boolean) => textColumn(operand as string, isNegated)],
  [numberEquality, (operand: unknown, isNegated: boolean) => numberColumn(operand as number, isNegated)],
  [boolEquality, (operand: unknown, isNegated: boolean) => boolColumn(operand as boolean, isNegated)],
]);

// Three copies of the same loop: the JavaScript engine optimises each for one type of values.

function textColumn(text: string, isNegated: boolean): ColumnCheck {
  return (column, selection, count, expected, { unexpected }) => {
    const whenEqual = isNegated !== expected;
    let selected = 0;
    for (let at = 0; at < count; at += 1) {
      const value = column[at];
      const isSelected =
        value === text ? whenEqual : typeof value === 'string' ? !whenEqual : unexpected(at) === expected;
      if (!isSelected) continue;
      selection[selected] = selection[at] ?? 0;
      selected += 1;
    }
    return selected;
  };
}

function numberColumn(number: number, isNegated: boolean): ColumnCheck {
  return (column, selection, count, expected, { unexpected }) => {
    const whenEqual = isNegated !== expected;
    let selected = 0;
    for (let at = 0; at < count; at += 1) {
      const value = column[at];
      const isSelected =
        value === number
          ? whenEqual
          : typeof value === 'number' && !Number.isNaN(value)
            ? !whenEqual
            : unexpected(at) === expected;
      if (!isSelected) continue;
      selection[selected] = selection[at] ?? 0;
      selected += 1;
    }
    return selected;
  };
}

function boolColumn(expectedValue: boolean, isNegated: boolean): ColumnCheck {
  return (column, selection, count, expected, { unexpected }) => {
    const whenEqual = isNegated !== expected;
    let selected = 0;
    for (let at = 0; at < count; at += 1) {
      const value = column[at];
      const isSelected =
        value === expectedValue
          ? whenEqual
          : typeof value === 'boolean'
            ? !whenEqual
            : unexpected(at) === expected;
      if (!isSelected) continue;
      selection[selected] = selection[at] ?? 0;
      selected += 1;
    }
    return selected;
  };
}
