import { createRandom, seedOf, type Random } from './random.js';

/** A row with something for each form that only the standard dialect has. */
export interface Event {
  readonly Title: string;
  readonly Outcome: string;
  readonly Zone: string;
  readonly Weight: number;
  readonly Quota: number;
  readonly Owner: string;
  readonly ColumnCache: string;
  readonly Labels: readonly string[];
  /** RFC 3339: most in UTC, some with an offset, some with a fraction, so that texts are not in the order of instants. */
  readonly Begun: string;
  /** Nanoseconds since 1970. */
  readonly Seen: number;
  readonly Steps: readonly Step[];
}

/** Fields in bodies of `any` and `all`. */
interface Step {
  readonly Name: string;
  readonly Next: string;
  readonly Code: string;
  readonly Limit: string;
  /** As `Begun` of the event. */
  readonly Begun: string;
  readonly Due: string;
}

const families = 'web api worker cron db search billing auth etl ingest export mail'.split(' ');
const subjects = 'frontend checkout catalog orders payments users events reports images sessions'.split(' ');
const outcomes = 'finished Finished finished waiting Waiting broken Broken gone'.split(' ');
const people = 'ada grace edsger barbara donald leslie tony niklaus'.split(' ');
const labels = 'gold silver bronze urgent nightly manual'.split(' ');

/** The first second of 2026 in UTC, in milliseconds. */
const newYear = 1_767_225_600_000;
const secondsOfYear = 365 * 24 * 3_600;

/** Each row comes out of `JSON.parse`, as those of the cases do. All have one shape. */
export function loadEvents(size: number): Event[] {
  return Array.from(
    { length: size },
    (_, index) => JSON.parse(JSON.stringify(makeEvent(createRandom(seedOf(59, index)), index))) as Event,
  );
}

function makeEvent(random: Random, index: number): Event {
  const owner = random.pick(people);
  return {
    Title: `${random.pick(families)}-${random.pick(subjects)}-${index}`,
    Outcome: random.pick(outcomes),
    Zone: `zone-${random.int(40)}`,
    Weight: random.int(100),
    Quota: random.int(100),
    Owner: owner,
    ColumnCache: random.chance(0.3) ? owner : random.pick(people),
    Labels: labels.filter(() => random.chance(0.3)),
    Begun: makeTimestamp(random, newYear + random.int(secondsOfYear) * 1_000),
    Seen: (newYear + random.int(secondsOfYear) * 1_000) * 1e6,
    Steps: Array.from({ length: 1 + random.int(3) }, () => makeStep(random)),
  };
}

function makeStep(random: Random): Step {
  const begun = newYear + random.int(secondsOfYear) * 1_000;
  return {
    Name: random.pick(subjects),
    Next: random.pick(subjects),
    Code: random.int(1e6).toString(36),
    Limit: random.int(2e6).toString(36),
    Begun: makeTimestamp(random, begun),
    Due: makeTimestamp(random, begun + (random.int(3_600) - 1_000) * 1_000),
  };
}

function makeTimestamp(random: Random, millis: number): string {
  if (random.chance(0.2)) return new Date(millis + random.int(1_000)).toISOString();
  const isAbroad = random.chance(0.2);
  const text = new Date(millis + (isAbroad ? 7_200_000 : 0)).toISOString().slice(0, 19);
  return isAbroad ? `${text}+02:00` : `${text}Z`;
}
