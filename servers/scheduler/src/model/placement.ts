import { t } from 'tamis';
import { interned } from './row-type.js';

/** A condition that a node must meet: `${attr.cpu.arch} = amd64`. */
export const constraintShape = t.struct({ LTarget: t.string, RTarget: t.string, Operand: interned });

/** A preference for nodes, with a weight from -100 to 100. */
export const affinityShape = t.struct({
  LTarget: t.string,
  RTarget: t.string,
  Operand: interned,
  Weight: t.int,
});

/** A spread of allocations over the values of an attribute. */
export const spreadShape = t.struct({
  Attribute: t.string,
  Weight: t.int,
  SpreadTarget: t.list(t.struct({ Value: t.string, Percent: t.uint })),
});

/** The steps in which a new version of a job replaces the old one. Durations are nanoseconds. */
export const updateShape = t.struct({
  Stagger: t.int,
  MaxParallel: t.int,
  HealthCheck: interned,
  MinHealthyTime: t.int,
  HealthyDeadline: t.int,
  ProgressDeadline: t.int,
  AutoRevert: t.bool,
  AutoPromote: t.bool,
  Canary: t.int,
});
