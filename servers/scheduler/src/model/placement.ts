import { s } from './shape.js';

/** A condition that a node must meet: `${attr.cpu.arch} = amd64`. */
export const constraintShape = s.struct({ LTarget: s.string, RTarget: s.string, Operand: s.label });

/** A preference for nodes, with a weight from -100 to 100. */
export const affinityShape = s.struct({
  LTarget: s.string,
  RTarget: s.string,
  Operand: s.label,
  Weight: s.int,
});

/** How allocations are spread over the values of an attribute. */
export const spreadShape = s.struct({
  Attribute: s.string,
  Weight: s.int,
  SpreadTarget: s.list(s.struct({ Value: s.string, Percent: s.uint })),
});

/** How a new version of a job replaces the old one. Durations are nanoseconds. */
export const updateShape = s.struct({
  Stagger: s.int,
  MaxParallel: s.int,
  HealthCheck: s.label,
  MinHealthyTime: s.int,
  HealthyDeadline: s.int,
  ProgressDeadline: s.int,
  AutoRevert: s.bool,
  AutoPromote: s.bool,
  Canary: s.int,
});
