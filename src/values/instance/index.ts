import { bytesKindIn } from './bytes.js';
import { durationKind, durationKindIn } from './duration.js';
import {
  isSizeUnit,
  isTimeUnit,
  sizeUnits,
  timeUnits,
  type InstanceKind,
  type InstanceType,
  type Unit,
} from './instance.js';
import { ipKind, ipPortKind } from './ip.js';
import { timeKind, timeKindIn } from './time.js';
import { versionKind } from './version.js';

/** The units that integers of a kind may have; null for kinds that have none. */
export function unitsOf(kind: string): readonly Unit[] | null {
  if (kind === 'time' || kind === 'duration') return Object.keys(timeUnits).filter(isTimeUnit);
  return kind === 'bytes' ? Object.keys(sizeUnits).filter(isSizeUnit) : null;
}

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

const kindsInUnits = new Map<string, InstanceKind>();

/** The kind of integers in a unit: one object for all types of it, so that two types can be told to be of one kind. */
function kindIn<U extends Unit>(name: string, unit: U, make: (unit: U) => InstanceKind): InstanceKind {
  const key = `${name} ${unit}`;
  const kind = kindsInUnits.get(key) ?? make(unit);
  kindsInUnits.set(key, kind);
  return kind;
}

/** What values of a type stand for beside their text or integer; null for types that stand for nothing else. */
export function instanceKindOf({ kind, unit, port }: InstanceType): InstanceKind | null {
  switch (kind) {
    case 'time':
      return isTimeUnit(unit) ? kindIn(kind, unit, timeKindIn) : timeKind;
    case 'duration':
      return isTimeUnit(unit) ? kindIn(kind, unit, durationKindIn) : durationKind;
    case 'bytes':
      return isSizeUnit(unit) ? kindIn(kind, unit, bytesKindIn) : null;
    case 'ip':
      return port === true ? ipPortKind : ipKind;
    case 'version':
      return versionKind;
    default:
      return null;
  }
}
