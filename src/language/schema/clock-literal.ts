import type { OperandShape } from '../operators/operand-shape.js';
import type { Value } from '../syntax/ast.js';
import { parseDuration, type Duration } from '../values/instance/duration.js';
import type { Type } from './type.js';

/** Whether a literal is `now` or an offset from it. It has this meaning only in an ordering or a list, compared with a time. */
export function isClock({ form, text }: Value, { dependsOnQuotes }: OperandShape, type: Type): boolean {
  if (type.kind !== 'time' || !dependsOnQuotes) return false;
  return form === 'now' || (form === 'bare' && text === 'now');
}

const distance = /^now ([-+]) (.*)$/s;

/** Returns the offset from the clock of `now`, `now - 7d` and similar literals, in nanoseconds; null for other literals. */
export function clockDistance({ text }: Value): Duration | null {
  if (text === 'now') return 0;
  const [, sign, length = ''] = distance.exec(text) ?? [];
  const by = sign === undefined ? null : parseDuration(length);
  return by === null || sign !== '-' ? by : -by;
}
