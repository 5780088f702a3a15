import { statusOf } from '../data/values.js';
import { both, equal, unequal, type Condition } from './condition.js';

/** The three-way `and` that is compiled without rows, with another literal each turn. */
export function compiledCondition(turn: number): Condition {
  return both(equal('Status', statusOf(turn)), equal('Type', 'service'), unequal('Namespace', 'default'));
}

/** Three rows, of which the second alone satisfies it. */
export function compiledRows(turn: number): readonly object[] {
  const fits = { Status: statusOf(turn), Type: 'service', Namespace: 'search' };
  return [{ ...fits, Namespace: 'default' }, fits, { ...fits, Type: 'batch' }];
}

/** A row that satisfies E2. */
export const runningRow: object = { Status: 'running', Type: 'service', Namespace: 'search' };
