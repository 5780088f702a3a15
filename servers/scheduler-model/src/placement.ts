import { t } from 'tamis';
import { interned, uint8, nanoseconds } from './row-type.js';

/** A condition that a node must meet: `${attr.cpu.arch} = amd64`. */
export const constraintShape = t.struct({ LTarget: t.string, RTarget: t.string, Operand: interned });

/** A preference for nodes, with a weight from -100 to 100. */
export const affinityShape = t.struct({
  LTarget: t.string,
  RTarget: t.string,
  Operand: interned,
  Weight: t.int,
});

/** A distribution of allocations over the values of an attribute. */
export const spreadShape = t.struct({
  Attribute: t.string,
  Weight: t.int,
  SpreadTarget: t.list(t.struct({ Value: t.string, Percent: uint8 })),
});

/** Settings of rolling updates. Durations are in ns. */
export const updateShape = t.struct({
  Stagger: nanoseconds,
  MaxParallel: t.int,
  HealthCheck: interned,
  MinHealthyTime: nanoseconds,
  HealthyDeadline: nanoseconds,
  ProgressDeadline: nanoseconds,
  AutoRevert: t.bool,
  AutoPromote: t.bool,
  Canary: t.int,
});
