import { FilterLimitError } from '../diagnostics/errors.js';
import type { CollectionExpression } from '../syntax/ast.js';
import type { Predicate } from './predicate.js';

/** How many more bodies of nested collections may run for the row at hand. */
export interface Budget {
  remaining: number;
  /** True once the filter turns out to have a nested collection. */
  isNeeded: boolean;
}

/** Gives every row a budget of its own, also where a filter is applied from within itself. */
export function withBudget(predicate: Predicate, budget: Budget, steps: number): Predicate {
  return (row) => {
    const { remaining } = budget;
    budget.remaining = steps;
    try {
      return predicate(row);
    } finally {
      budget.remaining = remaining;
    }
  };
}

/** The body of a nested collection, paying for each of its runs. @throws FilterLimitError once the budget is spent. */
export function payForBody(
  body: Predicate,
  budget: Budget,
  steps: number,
  source: string,
  node: CollectionExpression,
): Predicate {
  return (row) => {
    budget.remaining -= 1;
    if (budget.remaining < 0) throw outOfBudget(source, node, steps);
    return body(row);
  };
}

function outOfBudget(source: string, node: CollectionExpression, steps: number): FilterLimitError {
  const complaint = {
    code: 'too-many-steps',
    message: `nested any and all need more than ${steps} steps for one row`,
    span: node.span,
    label: 'runs once for every element of the collection around it',
    hint: 'narrow the outer collection first, or ask about the inner one alone',
    suggestions: [],
  } as const;
  return new FilterLimitError(source, complaint, steps);
}
