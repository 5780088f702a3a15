/**
 * An operation of a client, as the client has seen it. Every key has one writer, who writes one value after the other and
 * gives up a key whose last write has an unknown outcome. Times are milliseconds.
 */
export type Operation = WriteOperation | ReadOperation | UseOperation;

interface Timed {
  readonly key: string;
  readonly startedAt: number;
  readonly ended: number;
}

/** A write of the next value, from 1 on. */
export interface WriteOperation extends Timed {
  readonly kind: 'write';
  readonly value: number;
  /** `refused` means that nothing was done; `unknown` that the outcome is not known. */
  readonly outcome: 'done' | 'refused' | 'unknown';
}

/** A completed read; 0 for no value. */
export interface ReadOperation extends Timed {
  readonly kind: 'read';
  readonly value: number;
}

/** A use of a token that has only so many. */
export interface UseOperation extends Timed {
  readonly kind: 'use';
  readonly max: number;
  readonly outcome: 'done' | 'refused' | 'unknown';
}

/** Describes everything in a history that is impossible for a store with sequential operations; empty for a correct history. */
export function findViolations(history: readonly Operation[]): readonly string[] {
  const keys = new Map<string, Operation[]>();
  for (const operation of history) {
    const known = keys.get(operation.key);
    if (known === undefined) keys.set(operation.key, [operation]);
    else known.push(operation);
  }
  return [...keys].flatMap(([key, operations]) =>
    [...violationsOfRegister(operations), ...violationsOfUses(operations)].map((each) => `${key}: ${each}`),
  );
}

function violationsOfRegister(operations: readonly Operation[]): readonly string[] {
  const writes = operations.filter((each) => each.kind === 'write');
  const reads = operations.filter((each) => each.kind === 'read').sort((a, b) => a.startedAt - b.startedAt);
  const mistakes: string[] = [];
  const byValue = new Map(writes.map((write) => [write.value, write]));
  for (const { value, startedAt: started, ended } of reads) {
    const write = byValue.get(value);
    if (value !== 0 && write === undefined) mistakes.push(`${value} was read, which nobody wrote`);
    if (write?.outcome === 'refused') mistakes.push(`${value} was read, whose write was refused`);
    if (write !== undefined && write.startedAt > ended)
      mistakes.push(`${value} was read before it was written`);
    const min = Math.max(
      0,
      ...writes.filter((each) => isDoneBefore(each, started)).map((each) => each.value),
    );
    if (value < min) mistakes.push(`${value} was read after ${min} was acknowledged`);
  }
  mistakes.push(...goingBack(reads));
  return mistakes;
}

function isDoneBefore({ outcome, ended }: WriteOperation, time: number): boolean {
  return outcome === 'done' && ended < time;
}

/** Checks reads in the order of their start against the maximum seen by reads that had ended before. */
function goingBack(reads: readonly ReadOperation[]): readonly string[] {
  const mistakes: string[] = [];
  const byEnd = reads.toSorted((a, b) => a.ended - b.ended);
  let next = 0;
  let max = 0;
  for (const { startedAt: started, value } of reads) {
    for (let ended = byEnd[next]; ended !== undefined && ended.ended < started; ended = byEnd[(next += 1)])
      max = Math.max(max, ended.value);
    if (value < max) mistakes.push(`${value} was read after ${max} had been read`);
  }
  return mistakes;
}

function violationsOfUses(operations: readonly Operation[]): readonly string[] {
  const uses = operations.filter((each) => each.kind === 'use');
  const [first] = uses;
  if (first === undefined) return [];
  const count = (outcome: UseOperation['outcome']): number =>
    uses.filter((use) => use.outcome === outcome).length;
  const [done, refused, unknown] = [count('done'), count('refused'), count('unknown')];
  if (done > first.max) return [`was used ${done} times, and has ${first.max}`];
  const wasLost = refused > 0 && done + unknown < first.max;
  const late = uses.some(
    (use) =>
      use.outcome === 'done' && uses.some((each) => each.outcome === 'refused' && each.ended < use.startedAt),
  );
  return [
    ...(wasLost ? [`was refused after ${done} uses and ${unknown} unknown ones, and has ${first.max}`] : []),
    ...(late ? ['was used after it had been refused'] : []),
  ];
}
