import { bytesKindIn } from './bytes.js';
import { durationKind, durationKindIn } from './duration.js';
import { sizeUnits, timeUnits, type InstanceKind, type InstanceType, type Unit } from './instance.js';
import { ipKind, ipPortKind } from './ip.js';
import { timeKind, timeKindIn, utcTimeKind } from './time.js';
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

/** The properties of a scalar kind. */
interface ScalarFacts {
  /** The level 0 kind of the values that rows store; `int` if the type has a unit. */
  readonly storedAs: 'string' | 'time' | 'bool' | 'int' | 'uint' | 'float32' | 'float64';
  /** The instance kind, if the type has no unit. */
  readonly instances?: InstanceKind;
  /** The instance kind, if instances may have a port. */
  readonly withPort?: InstanceKind;
  /** The instance kind, if strings without a zone are in UTC. */
  readonly inUTC?: InstanceKind;
  /** The units that its integers may have, with their factors. */
  readonly units?: Readonly<Partial<Record<Unit, number>>>;
  /** Returns the instance kind for a unit. */
  readonly instancesIn?: (this: void, unit: never) => InstanceKind;
}

/** The list of all scalar kinds that a schema can declare, in the order of documentation. */
export const scalarKinds = {
  string: { storedAs: 'string' },
  bool: { storedAs: 'bool' },
  int: { storedAs: 'int' },
  uint: { storedAs: 'uint' },
  float32: { storedAs: 'float32' },
  float64: { storedAs: 'float64' },
  time: {
    storedAs: 'time',
    instances: timeKind,
    inUTC: utcTimeKind,
    units: timeUnits,
    instancesIn: timeKindIn,
  },
  duration: { storedAs: 'string', instances: durationKind, units: timeUnits, instancesIn: durationKindIn },
  bytes: { storedAs: 'int', units: sizeUnits, instancesIn: bytesKindIn },
  ip: { storedAs: 'string', instances: ipKind, withPort: ipPortKind },
  version: { storedAs: 'string', instances: versionKind },
} as const satisfies Readonly<Record<string, ScalarFacts>>;

export type ScalarKind = keyof typeof scalarKinds;

/** The level 0 kind of the values that rows store for a scalar kind. */
export type StorageKind<Kind extends ScalarKind = ScalarKind> = (typeof scalarKinds)[Kind]['storedAs'];

export function isScalarKind(kind: unknown): kind is ScalarKind {
  return typeof kind === 'string' && Object.hasOwn(scalarKinds, kind);
}

/** Returns the units that integers of a kind may have, and whether a unit is required; null for kinds without units. */
export function unitsOf(kind: ScalarKind): { readonly units: readonly Unit[]; isNeeded: boolean } | null {
  const { units, instances }: ScalarFacts = scalarKinds[kind];
  if (units === undefined) return null;
  return { units: Object.keys(units) as Unit[], isNeeded: instances === undefined };
}

const kindsInUnits = new Map<string, InstanceKind>();

/** Returns the instance kind for a unit. All types with that unit share one object, so that kinds can be compared by identity. */
function kindIn(name: string, unit: Unit, make: (unit: Unit) => InstanceKind): InstanceKind {
  const key = `${name} ${unit}`;
  const kind = kindsInUnits.get(key) ?? make(unit);
  kindsInUnits.set(key, kind);
  return kind;
}

/** Returns the kind of instances that values of a type represent; null if values represent only themselves. */
export function instanceKindOf({ kind, unit, port, zone }: InstanceType): InstanceKind | null {
  if (!isScalarKind(kind)) return null;
  const { instances, withPort, inUTC, units, instancesIn }: ScalarFacts = scalarKinds[kind];
  if (unit !== undefined && units?.[unit] !== undefined && instancesIn !== undefined)
    return kindIn(kind, unit, instancesIn as (unit: Unit) => InstanceKind);
  return (port === true ? withPort : zone === undefined ? undefined : inUTC) ?? instances ?? null;
}
