import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  Function as PprofFunction,
  Line,
  Location,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';

/** A position in the code. */
export interface Frame {
  readonly name: string;
  readonly file: string;
  /** Line number, starting at 1; 0 if unknown. */
  readonly line: number;
}

/** The measurements of one stack. */
export interface StackSample {
  /** Frames, innermost first. */
  readonly stack: readonly Frame[];
  /** One value per type. */
  readonly values: readonly number[];
}

/** A profile before encoding. It is built from the inspector's data, because profiling libraries need native code. */
export interface ProfileData {
  /** The types of the measurements, such as `['cpu', 'nanoseconds']`. */
  readonly types: readonly (readonly [type: string, unit: string])[];
  /** The type that viewers show first. */
  readonly displayType: string;
  readonly samples: Iterable<StackSample>;
  /** The period that one event represents: type, unit and number of units. */
  readonly period: readonly [type: string, unit: string, count: number];
  /** Start in ms since 1970. */
  readonly time: number;
  /** Duration in ms; 0 for a snapshot. */
  readonly duration: number;
  /** Comments for readers of the profile. */
  readonly comments: readonly string[];
}

const compress = promisify(gzip);

/** Encodes a profile in the format of `pprof`: a gzipped protocol buffer (github.com/google/pprof, profile.proto). */
export async function encodeProfile(data: ProfileData): Promise<Buffer> {
  const strings = new StringTable();
  const places = createPlaces(strings);
  const valueType = ([type, unit]: readonly [string, string, ...unknown[]]): ValueType =>
    new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) });
  const sampleType = data.types.map(valueType);
  const sample = [...data.samples].map(
    ({ stack, values }) => new Sample({ locationId: stack.map(places.locationOf), value: [...values] }),
  );
  const profile = new Profile({
    stringTable: strings,
    sampleType,
    sample,
    location: places.locations,
    function: places.functions,
    timeNanos: BigInt(Math.trunc(data.time)) * 1_000_000n,
    durationNanos: BigInt(Math.trunc(data.duration * 1e6)),
    periodType: valueType(data.period),
    period: data.period[2],
    comment: data.comments.map((text) => strings.dedup(text)),
    defaultSampleType: strings.dedup(data.displayType),
  });
  return compress(profile.encode());
}

interface Places {
  readonly locations: Location[];
  readonly functions: PprofFunction[];
  readonly locationOf: (frame: Frame) => number;
}

/** Assigns numbers to functions and their lines, starting at 1. */
function createPlaces(strings: StringTable): Places {
  const locations: Location[] = [];
  const functions: PprofFunction[] = [];
  const locationIds = new Map<string, number>();
  const functionIds = new Map<string, number>();

  function functionOf({ name, file }: Frame): number {
    const key = `${name}\n${file}`;
    const known = functionIds.get(key);
    if (known !== undefined) return known;
    const id = functions.length + 1;
    const text = strings.dedup(name);
    functions.push(new PprofFunction({ id, name: text, systemName: text, filename: strings.dedup(file) }));
    functionIds.set(key, id);
    return id;
  }

  return {
    locations,
    functions,
    locationOf(frame) {
      const key = `${frame.name}\n${frame.file}\n${frame.line}`;
      const known = locationIds.get(key);
      if (known !== undefined) return known;
      const id = locations.length + 1;
      locations.push(
        new Location({ id, line: [new Line({ functionId: functionOf(frame), line: frame.line })] }),
      );
      locationIds.set(key, id);
      return id;
    },
  };
}

/** Returns the heaviest stacks in readable form: values, then the stack, innermost frame first. */
export function describeProfile(
  title: string,
  { types, displayType, samples, comments }: ProfileData,
): string {
  const by = types.findIndex(([type]) => type === displayType);
  const sorted = [...samples].sort((a, b) => (b.values[by] ?? 0) - (a.values[by] ?? 0));
  const totals = types.map((_, at) => sorted.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const header = types.map(([type, unit], at) => `${type}/${unit}: ${totals[at] ?? 0}`).join(', ');
  const stacks = sorted.map(
    ({ values, stack }) =>
      `${values.join(' ')}\n${stack.map(({ name, file, line }) => `#\t${name}\t${file}:${line}\n`).join('')}`,
  );
  return [`${title} profile: ${header}`, ...comments.map((comment) => `# ${comment}`), '', ...stacks].join(
    '\n',
  );
}
