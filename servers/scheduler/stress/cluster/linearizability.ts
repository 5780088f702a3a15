import type { JobState, Operation, ReadOperation, WriteOperation } from './history.js';

/**
 * Checks a history of reads and writes of jobs, and describes results that no register with sequential operations could have
 * returned; empty if the history is linearizable.
 *
 * Each value is written once and under an index, so the order of the versions of a job is known, and a search through
 * possible orders is not needed: it is enough that each version replaced the previous one, and that no operation saw an older
 * version than one that had ended before it began. A write without a response counts from the first read of its value.
 */
export function findViolations(history: readonly Operation[]): readonly string[] {
  const jobs = groupBy(history, ({ job }) => job);
  return [...jobs].flatMap(([job, operations]) =>
    violationsOf(operations).map((violation) => `${job}: ${violation}`),
  );
}

function groupBy(
  operations: readonly Operation[],
  keyOf: (operation: Operation) => string,
): ReadonlyMap<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = groups.get(keyOf(operation));
    if (group === undefined) groups.set(keyOf(operation), [operation]);
    else group.push(operation);
  }
  return groups;
}

/** A version of a job, as the history shows it. */
interface Version extends JobState {
  readonly write: WriteOperation;
}

function violationsOf(operations: readonly Operation[]): readonly string[] {
  const mistakes: string[] = [];
  const versions = orderVersions(operations, mistakes);
  // Places in an order that does not hold together say nothing.
  if (mistakes.length > 0) return mistakes;
  const order: Order = { versions, rankOf: new Map([[0, 0]]) };
  versions.forEach(({ index }, at) => order.rankOf.set(index, at + 1));
  checkChain(versions, mistakes);
  checkRealTime(operations, order, mistakes);
  checkRefusals(operations, order, mistakes);
  checkStaleReads(operations, order, mistakes);
  return mistakes;
}

interface Order {
  readonly versions: readonly Version[];
  /** How many versions there are up to an index. */
  readonly rankOf: Map<number, number>;
}

/** The versions in the order of their indexes: each value has one index, and each index one value. */
function orderVersions(operations: readonly Operation[], mistakes: string[]): readonly Version[] {
  const writes = new Map<string, WriteOperation>();
  for (const operation of operations) if (operation.kind === 'write') writes.set(operation.value, operation);
  const found = new Map<number, Version>();
  const indexes = new Map<string, number>();
  for (const { index, version, value } of operations.flatMap(renderedState)) {
    const write = writes.get(value);
    const known = found.get(index);
    if (write === undefined) {
      mistakes.push(`index ${index} holds ${value}, which nobody wrote`);
    } else if (write.outcome === 'refused' || write.outcome === 'undone') {
      mistakes.push(`${value} was reported as not written, and is there under index ${index}`);
    } else if (known !== undefined && known.value !== value) {
      mistakes.push(`index ${index} was ${known.value}, and later ${value}`);
    } else if ((indexes.get(value) ?? index) !== index) {
      mistakes.push(`${value} was written twice, under index ${indexes.get(value)} and ${index}`);
    } else {
      indexes.set(value, index);
      found.set(index, { index, value, version: Math.max(version, known?.version ?? -1), write });
    }
  }
  return [...found.values()].sort((a, b) => a.index - b.index);
}

/** What an operation reveals about its job; the response to a write does not contain the version number. */
function renderedState(operation: Operation): readonly JobState[] {
  if (operation.kind !== 'write') return operation.state.index === 0 ? [] : [operation.state];
  const { index, value } = operation;
  return index === null ? [] : [{ index, value, version: -1 }];
}

/** Each version was written over the one before it, and their numbers have no gaps. */
function checkChain(versions: readonly Version[], mistakes: string[]): void {
  versions.forEach(({ index, version, value, write }, at) => {
    const before = versions[at - 1]?.index ?? 0;
    if (write.base !== before) {
      mistakes.push(
        `${value} (index ${index}) was written over index ${write.base}, and ${before} was there`,
      );
    }
    if (version !== -1 && version !== at) {
      mistakes.push(`${value} (index ${index}) is version ${version}, and ${at} writes came before it`);
    }
  });
}

/** A place in the order of everything: each version is a write, and then the reads of it. */
interface Placed {
  readonly operation: Operation;
  readonly place: number;
  readonly start: number;
  readonly end: number;
}

function place(operation: Operation, { rankOf }: Order): Placed | null {
  const { start, end } = operation;
  if (operation.kind !== 'write') {
    const rank = rankOf.get(operation.state.index);
    return rank === undefined ? null : { operation, start, end, place: 2 * rank + 1 };
  }
  const rank = operation.index === null ? undefined : rankOf.get(operation.index);
  return rank === undefined ? null : { operation, start, end, place: 2 * rank };
}

/** No default read or write comes, in the order of versions, before one that had ended when it began. */
function checkRealTime(operations: readonly Operation[], order: Order, mistakes: string[]): void {
  const placed = operations
    .filter(({ kind }) => kind !== 'stale')
    .flatMap((each) => place(each, order) ?? []);
  const served = new Set(placed.map(({ operation }) => operation));
  for (const [at, { write }] of order.versions.entries()) {
    // It never got a response, but has happened: only the reads of its value show when.
    if (served.has(write)) continue;
    placed.push({ operation: write, start: write.start, end: Infinity, place: 2 * (at + 1) });
  }
  const maxBefore = haveMostlyEnded(placed);
  for (const each of placed) {
    const max = maxBefore(each.start);
    if (max === null || max.place <= each.place) continue;
    const what = each.operation.kind === 'write' ? 'was written' : 'was read';
    mistakes.push(
      `${printPosition(each, order)} ${what} at ${each.start.toFixed(1)} on ${each.operation.server}, ` +
        `after ${printPosition(max, order)} was known at ${max.end.toFixed(1)} on ${max.operation.server}`,
    );
  }
}

/** Returns the operation with the highest position of those that ended before a time; null if there is none. */
function haveMostlyEnded(placed: readonly Placed[]): (time: number) => Placed | null {
  const max: Placed[] = [];
  for (const each of placed.toSorted((a, b) => a.end - b.end)) {
    const last = max.at(-1);
    if (last === undefined || each.place > last.place) max.push(each);
  }
  return (time) => {
    let [low, high] = [0, max.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((max[middle]?.end ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    return max[low - 1] ?? null;
  };
}

/** A write may be refused for its base only if the job may have been at a different index during the write. */
function checkRefusals(operations: readonly Operation[], order: Order, mistakes: string[]): void {
  const placed = operations
    .filter(({ kind }) => kind !== 'stale')
    .flatMap((each) => place(each, order) ?? []);
  const maxBefore = haveMostlyEnded(placed);
  for (const operation of operations) {
    if (operation.kind !== 'write' || operation.outcome !== 'refused') continue;
    const rank = order.rankOf.get(operation.base);
    if (rank === undefined) continue;
    const reached = Math.floor((maxBefore(operation.start)?.place ?? 0) / 2);
    const next = order.versions[rank];
    if (reached !== rank || (next !== undefined && next.write.start <= operation.end)) continue;
    mistakes.push(
      `${operation.value} was refused on ${operation.server}, though index ${operation.base} was there`,
    );
  }
}

/** A server never takes back a result, and shows nothing before it was written. */
function checkStaleReads(operations: readonly Operation[], order: Order, mistakes: string[]): void {
  const servers = groupBy(operations, ({ server }) => server);
  for (const [server, own] of servers) {
    const maxBefore = haveMostlyEnded(own.flatMap((each) => place(each, order) ?? []));
    const stale = own.filter((each): each is ReadOperation => each.kind === 'stale');
    for (const operation of stale) {
      const rank = order.rankOf.get(operation.state.index) ?? 0;
      const max = maxBefore(operation.start);
      if (max !== null && max.place > 2 * rank + 1) {
        const { index } = operation.state;
        mistakes.push(`${server} went back to index ${index} after ${printPosition(max, order)}`);
      }
      const written = order.versions[rank - 1]?.write;
      if (written !== undefined && written.start > operation.end) {
        mistakes.push(`${server} showed index ${operation.state.index} before it was written`);
      }
    }
  }
}

function printPosition({ place: at }: Placed, { versions }: Order): string {
  const version = versions[Math.floor(at / 2) - 1];
  return version === undefined ? 'no job' : `index ${version.index} (${version.value})`;
}
