import { bytesKindIn } from './bytes.js';
import { durationKind, durationKindIn } from './duration.js';
import { sizeUnits, timeUnits, type InstanceKind, type InstanceType, type Unit } from './instance.js';
import { ipKind, ipPortKind } from './ip.js';
import { timeKind, timeKindIn } from './time.js';
import { versionKind } from './version.js';

export type {
  BlockKind,
  InstanceKind,
  InstanceName,
  InstanceType,
  SizeUnit,
  TimeUnit,
  Unit,
  UnitBound,
} from './instance.js';

/** What a kind of scalars is. */
interface ScalarFacts {
  /** What rows hold for it, in the kinds that level 0 knows; an `int` where the type has a unit. */
  readonly holds: 'string' | 'time' | 'bool' | 'int' | 'uint' | 'float32' | 'float64';
  /** What its values stand for where the type has no unit. */
  readonly instances?: InstanceKind;
  /** The same where they may have a port. */
  readonly withPort?: InstanceKind;
  /** The units that its integers may be in. */
  readonly units?: Readonly<Partial<Record<Unit, number>>>;
  /** What they stand for in a unit. */
  readonly instancesIn?: (this: void, unit: never) => InstanceKind;
}

/** THE list of the kinds of scalars that a schema can declare, in the order in which documents list them. */
export const scalarKinds = {
  string: { holds: 'string' },
  bool: { holds: 'bool' },
  int: { holds: 'int' },
  uint: { holds: 'uint' },
  float32: { holds: 'float32' },
  float64: { holds: 'float64' },
  time: { holds: 'time', instances: timeKind, units: timeUnits, instancesIn: timeKindIn },
  duration: { holds: 'string', instances: durationKind, units: timeUnits, instancesIn: durationKindIn },
  bytes: { holds: 'int', units: sizeUnits, instancesIn: bytesKindIn },
  ip: { holds: 'string', instances: ipKind, withPort: ipPortKind },
  version: { holds: 'string', instances: versionKind },
} as const satisfies Readonly<Record<string, ScalarFacts>>;

export type ScalarKind = keyof typeof scalarKinds;

/** What rows hold for a kind of scalars, in the kinds that level 0 knows. */
export type HeldKind<Kind extends ScalarKind = ScalarKind> = (typeof scalarKinds)[Kind]['holds'];

export function isScalarKind(kind: unknown): kind is ScalarKind {
  return typeof kind === 'string' && Object.hasOwn(scalarKinds, kind);
}

/** The units that integers of a kind may have, and whether they must have one; null for kinds that have none. */
export function unitsOf(kind: ScalarKind): { readonly units: readonly Unit[]; isNeeded: boolean } | null {
  const { units, instances }: ScalarFacts = scalarKinds[kind];
  if (units === undefined) return null;
  return { units: Object.keys(units) as Unit[], isNeeded: instances === undefined };
}

const kindsInUnits = new Map<string, InstanceKind>();

/** The kind of integers in a unit: one object for all types of it, so that two types can be told to be of one kind. */
function kindIn(name: string, unit: Unit, make: (unit: Unit) => InstanceKind): InstanceKind {
  const key = `${name} ${unit}`;
  const kind = kindsInUnits.get(key) ?? make(unit);
  kindsInUnits.set(key, kind);
  return kind;
}

/** What values of a type stand for beside their text or integer; null for types that stand for nothing else. */
export function instanceKindOf({ kind, unit, port }: InstanceType): InstanceKind | null {
  if (!isScalarKind(kind)) return null;
  const { instances, withPort, units, instancesIn }: ScalarFacts = scalarKinds[kind];
  if (unit !== undefined && units?.[unit] !== undefined && instancesIn !== undefined)
    return kindIn(kind, unit, instancesIn as (unit: Unit) => InstanceKind);
  return (port === true ? withPort : undefined) ?? instances ?? null;
}
