import { FilterError } from 'tamis';
import type { Job } from '../job.js';
import { compileTextPattern } from '../text-pattern.js';
import { targetProblem } from '../target.js';
import type { TaskGroup } from '../task-group.js';
import { parseVersionTest } from '../version.js';
import { when, within } from './findings.js';
import { clip, quote } from '../quote.js';

type Constraint = NonNullable<Job['Constraints']>[number];
type Affinity = NonNullable<Job['Affinities']>[number];
type Spread = NonNullable<Job['Spreads']>[number];

/** Maximum number of constraints, affinities and spread targets per job. Prevents jobs that slow down each node check. */
const maxConditions = 5_000;
/** Maximum number of different patterns per job. Prevents slow validation: a pattern takes up to 1 ms. */
const maxPatterns = 100;

interface Placed {
  readonly Constraints: Job['Constraints'];
  readonly Affinities: Job['Affinities'];
  readonly Spreads?: Job['Spreads'];
}

/** Yields each part of a job that can have conditions: the job, its groups, their tasks, and their devices. */
function* placesOf(job: Job): Generator<Placed> {
  yield job;
  for (const group of job.TaskGroups ?? []) {
    yield group;
    for (const task of group.Tasks ?? []) {
      yield task;
      yield* task.Resources?.Devices ?? [];
    }
  }
}

/** Returns an error if a job has too many conditions to check them; otherwise an empty list. */
export function conditionLimitErrors(job: Job): string[] {
  let count = 0;
  const patterns = new Set<string>();
  for (const { Constraints, Affinities, Spreads } of placesOf(job)) {
    const conditions = [...(Constraints ?? []), ...(Affinities ?? [])];
    const targets = (Spreads ?? []).map(({ SpreadTarget }) => 1 + (SpreadTarget?.length ?? 0));
    count += targets.reduce((sum, size) => sum + size, conditions.length);
    for (const { Operand, RTarget } of conditions) if (Operand === 'regexp') patterns.add(RTarget);
  }
  return [
    ...when(
      count > maxConditions,
      `Job has ${count} constraints, affinities and spread targets, more than ${maxConditions}`,
    ),
    ...when(
      patterns.size > maxPatterns,
      `Job has ${patterns.size} different patterns in its constraints, more than ${maxPatterns}`,
    ),
  ];
}

/** Returns mistakes in the conditions of a job or group. System jobs run on every suitable node. */
export function conditionErrors(
  { Constraints, Affinities, Spreads }: Pick<TaskGroup, 'Constraints' | 'Affinities' | 'Spreads'>,
  type: string,
): string[] {
  return [
    ...constraintErrors(Constraints),
    ...(type === 'system'
      ? systemErrors(Affinities, Spreads)
      : [
          ...affinityErrors(Affinities),
          ...(Spreads ?? []).flatMap((spread, at) => within(`Spread ${at + 1}`, spreadErrors(spread))),
        ]),
  ];
}

function systemErrors(affinities: Job['Affinities'], spreads: Job['Spreads']): string[] {
  return [
    ...when((affinities ?? []).length > 0, 'System jobs may not have an affinity block'),
    ...when((spreads ?? []).length > 0, 'System jobs may not have a spread block'),
  ];
}

/** Returns mistakes in the conditions of a task. A single task cannot have conditions on other allocations. */
export function taskConditionErrors(
  { Constraints, Affinities }: Pick<TaskGroup, 'Constraints' | 'Affinities'>,
  type: string,
): string[] {
  return [
    ...constraintErrors(Constraints),
    ...(Constraints ?? []).flatMap(({ Operand }, at) =>
      when(
        Operand === 'distinct_hosts' || Operand === 'distinct_property',
        `Constraint ${at + 1} has disallowed Operand at task level: ${Operand}`,
      ),
    ),
    ...(type === 'system' ? systemErrors(Affinities, null) : affinityErrors(Affinities)),
  ];
}

function constraintErrors(constraints: Job['Constraints']): string[] {
  return (constraints ?? []).flatMap((constraint, at) =>
    within(`Constraint ${at + 1}`, oneConstraintErrors(constraint)),
  );
}

function oneConstraintErrors({ LTarget, RTarget, Operand }: Constraint): string[] {
  return [
    ...(Operand === ''
      ? ['Missing constraint operand']
      : (placementErrors(Operand, RTarget) ??
        operandErrors(Operand, RTarget, constraintWords) ?? [`Unknown constraint type ${quote(Operand)}`])),
    ...when(
      LTarget === '' && Operand !== 'distinct_hosts',
      'No LTarget provided but is required by constraint',
    ),
    ...when(LTarget.includes('\0') || RTarget.includes('\0'), 'Constraint contains a null character'),
  ];
}

/** Returns mistakes in operands specific to constraints; null for other operands. */
function placementErrors(operand: string, right: string): string[] | null {
  if (operand === 'distinct_hosts') {
    const isKnown = right === '' || right === 'true' || right === 'false';
    return when(!isKnown, `distinct_hosts takes the RTarget true or false, not ${quote(right)}`);
  }
  if (operand === 'distinct_property') return distinctPropertyErrors(right);
  if (operand === 'is_set' || operand === 'is_not_set') {
    return when(right !== '', `Operator ${quote(operand)} does not support an RTarget`);
  }
  return null;
}

function distinctPropertyErrors(right: string): string[] {
  if (right === '') return [];
  if (!/^\d{1,18}$/.test(right))
    return [`Failed to convert RTarget ${quote(right)} to uint64: invalid syntax`];
  return when(
    Number(right) < 1,
    `Distinct Property must have an allowed count of 1 or greater: ${Number(right)} < 1`,
  );
}

function affinityErrors(affinities: Job['Affinities']): string[] {
  return (affinities ?? []).flatMap((affinity, at) =>
    within(`Affinity ${at + 1}`, oneAffinityErrors(affinity)),
  );
}

function oneAffinityErrors({ LTarget, RTarget, Operand, Weight }: Affinity): string[] {
  return [
    ...(Operand === ''
      ? ['Missing affinity operand']
      : (operandErrors(Operand, RTarget, affinityWords) ?? [`Unknown affinity operator ${quote(Operand)}`])),
    ...when(LTarget === '', 'No LTarget provided but is required'),
    ...when(LTarget.includes('\0') || RTarget.includes('\0'), 'Affinity contains a null character'),
    ...when(Number(Weight) === 0, 'Affinity weight cannot be zero'),
    ...when(Weight > 100 || Weight < -100, 'Affinity weight must be within the range [-100,100]'),
  ];
}

interface Words {
  readonly kind: string;
  readonly set: string;
}

const constraintWords: Words = { kind: 'constraint', set: 'Set contains constraint requires an RTarget' };
const affinityWords: Words = { kind: 'affinity', set: 'Set contains operators require an RTarget' };

const comparisons: ReadonlySet<string> = new Set(['=', '==', 'is', '!=', 'not', '<', '<=', '>', '>=']);
const sets: ReadonlySet<string> = new Set(['set_contains', 'set_contains_all', 'set_contains_any']);

/** Returns mistakes in the right side of an operand; null for an unknown operand. */
function operandErrors(operand: string, right: string, words: Words): string[] | null {
  if (comparisons.has(operand)) {
    return when(right === '', `Operator ${quote(operand)} requires an RTarget`);
  }
  if (sets.has(operand)) return when(right === '', words.set);
  // Interpolated values are known only for a given node.
  if (right.startsWith('${')) return isReadable(operand) ? [] : null;
  if (operand === 'regexp') return patternErrors(right);
  if (operand !== 'version' && operand !== 'semver') return null;
  const name = operand === 'version' ? 'Version' : 'Semver';
  const isRead = parseVersionTest(right, operand === 'semver') !== null;
  return when(!isRead, () => `${name} ${words.kind} is invalid: Malformed constraint: ${clip(right)}`);
}

function isReadable(operand: string): boolean {
  return operand === 'regexp' || operand === 'version' || operand === 'semver';
}

function patternErrors(pattern: string): string[] {
  try {
    compileTextPattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const reason = error.goMessage.slice(error.goMessage.indexOf('error parsing regexp'));
    const isMistake = error.goMessage.includes('error parsing regexp');
    return [`Regular expression failed to compile: ${isMistake ? reason : error.goMessage}`];
  }
}

function spreadErrors({ Attribute, Weight, SpreadTarget }: Spread): string[] {
  const seen = new Set<string>();
  const errors = [
    ...when(Attribute === '', 'Missing spread attribute'),
    ...when(Attribute.includes('\0'), 'Spread contains a null character'),
    ...when(Weight <= 0 || Weight > 100, 'Spread block must have a positive weight from 0 to 100'),
  ];
  let sum = 0;
  for (const { Value, Percent } of SpreadTarget ?? []) {
    if (seen.has(Value)) errors.push(`Spread target value ${quote(Value)} already defined`);
    seen.add(Value);
    if (Percent > 100) {
      errors.push(`Spread target percentage for value ${quote(Value)} must be between 0 and 100`);
    }
    sum += Number(Percent);
  }
  if (sum > 100) errors.push(`Sum of spread target percentages must not be greater than 100%; got ${sum}%`);
  return errors;
}

/** Returns warnings about conditions that no node can meet or that have no effect. */
export function conditionWarnings(
  path: string,
  { Constraints, Affinities, Spreads }: Placed,
  type: string,
): string[] {
  const isEverywhere = type === 'sysbatch';
  return [
    ...(Constraints ?? []).flatMap((one, at) => targetWarnings(`${path}.Constraints[${at}]`, one)),
    ...(Affinities ?? []).flatMap((one, at) => targetWarnings(`${path}.Affinities[${at}]`, one)),
    ...(Spreads ?? []).flatMap(({ Attribute }, at) =>
      spreadWarnings(`${path}.Spreads[${at}].Attribute`, Attribute),
    ),
    ...when(
      isEverywhere && (Affinities ?? []).length > 0,
      `${path}.Affinities: sysbatch jobs run on every node that will do, affinities change nothing`,
    ),
    ...when(
      isEverywhere && (Spreads ?? []).length > 0,
      `${path}.Spreads: sysbatch jobs run on every node that will do, spreads change nothing`,
    ),
  ];
}

function targetWarnings(path: string, { LTarget, RTarget, Operand }: Constraint): string[] {
  if (Operand === 'distinct_hosts') return [];
  const isText = !LTarget.startsWith('${') && !RTarget.startsWith('${');
  const problem = targetProblem(LTarget) ?? targetProblem(RTarget);
  return [
    ...when(problem !== null, `${path}: ${problem ?? ''}`),
    ...when(isText, () => `${path}.LTarget: ${plainText(LTarget)}`),
  ];
}

function spreadWarnings(path: string, attribute: string): string[] {
  const problem = targetProblem(attribute);
  return [
    ...when(problem !== null, `${path}: ${problem ?? ''}`),
    ...when(!attribute.startsWith('${'), () => `${path}: ${plainText(attribute)}`),
  ];
}

function plainText(target: string): string {
  return `${quote(target)} is the same text on every node, what a node has is written "\${attr.NAME}"`;
}
