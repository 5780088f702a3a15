import { scaleOf, type Scale } from '../compile/frame/scale.js';
import { ABSENT } from '../compile/frame/sentinels.js';
import type { Type } from '../../language/schema/type.js';
import { describeObserved } from './observed-value.js';
import { comparedType } from './relation.js';

/** The minimum and maximum of the values that an ordering clause reads from rows, each as a literal. */
export interface ValueRange {
  readonly least: string;
  readonly greatest: string;
}

/** Tracks the minimum and maximum of values, in the order of their kind. Values of a second kind are ignored. */
export class RangeSample {
  private family: Scale['family'] | null = null;
  private min: End | null = null;
  private greatest: End | null = null;

  take(value: unknown, declared: Type | null): void {
    if (value === null || value === undefined) return;
    const type = comparedType(value, declared);
    const scale = type === null ? null : scaleOf(type);
    const position = scale?.read(value);
    if (scale === null || position === undefined || position === ABSENT) return;
    this.family ??= scale.family;
    // A value without an order, such as NaN, cannot be an end of the range.
    if (scale.family !== this.family || Number.isNaN(scale.sort(position, position))) return;
    const end = { position, value, type };
    if (this.min === null || scale.sort(position, this.min.position) < 0) this.min = end;
    if (this.greatest === null || scale.sort(position, this.greatest.position) > 0) this.greatest = end;
  }

  range(): ValueRange | null {
    const { min, greatest } = this;
    return min === null || greatest === null ? null : { least: textOf(min), greatest: textOf(greatest) };
  }
}

interface End {
  readonly position: unknown;
  readonly value: unknown;
  readonly type: Type | null;
}

function textOf({ value, type }: End): string {
  return describeObserved(value, type).text;
}
