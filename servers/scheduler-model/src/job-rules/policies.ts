import type { Job } from '../job.js';
import type { TaskGroup } from '../task-group.js';
import { formatDuration, when } from './findings.js';
import { quote } from '../quote.js';

type Update = NonNullable<TaskGroup['Update']>;
type Restart = NonNullable<TaskGroup['RestartPolicy']>;
type Reschedule = NonNullable<TaskGroup['ReschedulePolicy']>;
type Migrate = NonNullable<TaskGroup['Migrate']>;

const second = 1_000_000_000;
const minRestartInterval = 5 * second;
const minRescheduleInterval = 15 * second;
const minRescheduleDelay = 5 * second;

export function updateErrors(update: Update | null, type: string): string[] {
  if (update === null) return [];
  const { HealthCheck, MaxParallel, Canary, MinHealthyTime, HealthyDeadline, ProgressDeadline } = update;
  const [healthy, deadline, progress] = [MinHealthyTime, HealthyDeadline, ProgressDeadline].map(
    formatDuration,
  );
  return [
    ...when(type === 'batch' || type === 'sysbatch', `Job type ${quote(type)} does not allow update block`),
    ...when(!healthChecks.has(HealthCheck), `Invalid health check given: ${quote(HealthCheck)}`),
    ...when(MaxParallel < 0, `Max parallel can not be less than zero: ${MaxParallel} < 0`),
    ...when(Canary < 0, `Canary count can not be less than zero: ${Canary} < 0`),
    ...when(
      update.AutoPromote && Number(Canary) === 0,
      'Auto Promote requires a Canary count greater than zero',
    ),
    ...when(MinHealthyTime < 0, `Minimum healthy time may not be less than zero: ${healthy}`),
    ...when(HealthyDeadline <= 0, `Healthy deadline must be greater than zero: ${deadline}`),
    ...when(ProgressDeadline < 0, `Progress deadline must be zero or greater: ${progress}`),
    ...when(
      MinHealthyTime >= HealthyDeadline,
      `Minimum healthy time must be less than healthy deadline: ${healthy} > ${deadline}`,
    ),
    ...when(
      Number(ProgressDeadline) !== 0 && HealthyDeadline >= ProgressDeadline,
      `Healthy deadline must be less than progress deadline: ${deadline} > ${progress}`,
    ),
    ...when(update.Stagger <= 0, `Stagger must be greater than zero: ${formatDuration(update.Stagger)}`),
  ];
}

const healthChecks: ReadonlySet<string> = new Set(['checks', 'task_states', 'manual']);

export function restartErrors(restart: Restart | null): string[] {
  if (restart === null) return [];
  const { Mode, Attempts, Interval, Delay } = restart;
  const isMode = Mode === 'fail' || Mode === 'delay';
  const needed = BigInt(Attempts) * BigInt(Delay);
  return [
    ...when(!isMode, `Unsupported restart mode: ${quote(Mode)}`),
    ...when(Attempts < 0, `Restart attempts can not be less than zero: ${Attempts} < 0`),
    ...when(Delay < 0, `Restart delay can not be less than zero: ${formatDuration(Delay)}`),
    ...when(
      Number(Attempts) === 0 && Mode === 'delay',
      `Restart policy ${quote(Mode)} with ${Attempts} attempts is ambiguous`,
    ),
    ...when(
      Interval < minRestartInterval,
      `Interval can not be less than ${formatDuration(minRestartInterval)} (got ${formatDuration(Interval)})`,
    ),
    ...when(
      Attempts > 0 && Delay > 0 && needed > BigInt(Interval),
      `Scheduler can't restart the TaskGroup ${Attempts} times in an interval of ${formatDuration(Interval)} with a delay of ${formatDuration(Delay)}`,
    ),
  ];
}

export function rescheduleErrors(policy: Reschedule | null, type: string): string[] {
  if (policy === null) return [];
  if (type === 'system' || type === 'sysbatch') {
    return ['System or sysbatch jobs should not have a reschedule policy'];
  }
  const { Attempts, Interval, Delay, DelayFunction, Unlimited } = policy;
  const isEnabled = Attempts > 0 || Unlimited;
  return [
    ...when(Attempts < 0, `Reschedule attempts can not be less than zero: ${Attempts} < 0`),
    ...when(
      (isEnabled || DelayFunction !== '') && !delayFunctions.has(DelayFunction),
      `Invalid delay function ${quote(DelayFunction)}, must be one of ["constant" "exponential" "fibonacci"]`,
    ),
    ...(isEnabled
      ? delayErrors(policy)
      : when(Delay < 0 || Interval < 0, 'Reschedule policy has a negative duration')),
    ...when(
      Attempts > 0 && Unlimited,
      `Reschedule Policy with Attempts = ${Attempts}, Interval = ${formatDuration(Interval)}, and Unlimited = true is ambiguous`,
    ),
    ...(isEnabled && !Unlimited ? intervalErrors(policy) : []),
  ];
}

const delayFunctions: ReadonlySet<string> = new Set(['constant', 'exponential', 'fibonacci']);

function delayErrors({ Delay, DelayFunction, MaxDelay }: Reschedule): string[] {
  const min = formatDuration(minRescheduleDelay);
  const grows = DelayFunction !== 'constant';
  return [
    ...when(Delay < minRescheduleDelay, `Delay cannot be less than ${min} (got ${formatDuration(Delay)})`),
    ...when(MaxDelay < 0, `Max Delay cannot be less than zero (got ${formatDuration(MaxDelay)})`),
    ...when(
      grows && MaxDelay >= 0 && MaxDelay < minRescheduleDelay,
      `Max Delay cannot be less than ${min} (got ${formatDuration(MaxDelay)})`,
    ),
    ...when(
      grows && MaxDelay < Delay,
      `Max Delay cannot be less than Delay ${formatDuration(Delay)} (got ${formatDuration(MaxDelay)})`,
    ),
  ];
}

function intervalErrors(policy: Reschedule): string[] {
  const { Attempts, Interval, Delay, DelayFunction } = policy;
  const min = formatDuration(minRescheduleInterval);
  const errors = [
    ...when(Number(Interval) <= 0, 'Interval must be a non zero value if Attempts > 0'),
    ...when(
      Interval < minRescheduleInterval,
      `Interval cannot be less than ${min} (got ${formatDuration(Interval)})`,
    ),
  ];
  if (errors.length > 0 || !delayFunctions.has(DelayFunction)) return errors;
  if (delayErrors(policy).length > 0) return [];
  const { attempts, interval } = viableAttempts(policy);
  if (attempts >= Number(Attempts)) return [];
  const ceiling =
    DelayFunction === 'constant' ? '' : `, and delay ceiling ${formatDuration(policy.MaxDelay)}`;
  return [
    `Scheduler can only make ${attempts} attempts in ${formatDuration(Interval)} with initial delay ${formatDuration(Delay)}, delay function ${quote(DelayFunction)}${ceiling}`,
    `Set the interval to at least ${formatDuration(interval)} to accommodate ${Attempts} attempts`,
  ];
}

/** Maximum attempts to simulate; the maximum delay is reached long before. Prevents loops over billions. */
const maxCounted = 10_000;

/** Returns how many of the wanted attempts fit in the interval, and the interval that fits all. */
function viableAttempts({ Attempts, Interval, Delay, DelayFunction, MaxDelay }: Reschedule): {
  readonly attempts: number;
  readonly interval: number;
} {
  const [requested, within, first, max] = [Attempts, Interval, Delay, MaxDelay].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (DelayFunction === 'constant')
    return { attempts: Math.floor(within / first), interval: requested * first };
  let attempts = 0;
  let reached = 0;
  let before = 0;
  let delay = first;
  // The interval must contain the longest delay, plus one maximum delay for each attempt beyond it.
  let beyond = DelayFunction === 'fibonacci' ? -1 : 0;
  for (let count = 0; count < Math.min(requested, maxCounted); count += 1) {
    if (delay > max) beyond += 1;
    reached = delay > max ? (beyond === 0 ? max : reached + max) : delay;
    if (reached <= within) attempts += 1;
    [before, delay] = [delay, DelayFunction === 'fibonacci' ? delay + before : delay * 2];
  }
  const rest = Math.max(0, requested - maxCounted);
  return { attempts: reached + rest * max <= within ? requested : attempts, interval: reached + rest * max };
}

export function migrateErrors(migrate: Migrate | null, type: string): string[] {
  if (migrate === null) return [];
  if (type !== 'service') return [`Job type ${quote(type)} does not allow migrate block`];
  const { MaxParallel, HealthCheck, MinHealthyTime, HealthyDeadline } = migrate;
  const isKnown = HealthCheck === 'checks' || HealthCheck === 'task_states';
  return [
    ...when(MaxParallel < 0, `MaxParallel must be >= 0 but found ${MaxParallel}`),
    ...when(HealthCheck === '' && MaxParallel > 0, 'Missing HealthCheck'),
    ...when(HealthCheck !== '' && !isKnown, `Invalid HealthCheck: ${quote(HealthCheck)}`),
    ...when(MinHealthyTime < 0, `MinHealthyTime is ${formatDuration(MinHealthyTime)} and must be >= 0`),
    ...when(HealthyDeadline < 0, `HealthyDeadline is ${formatDuration(HealthyDeadline)} and must be >= 0`),
    ...when(MinHealthyTime > HealthyDeadline, 'MinHealthyTime must be less than HealthyDeadline'),
  ];
}

/** Returns warnings about update settings that are probably unintended. */
export function updateWarnings(path: string, { Update, Count }: TaskGroup): string[] {
  if (Update === null) return [];
  return when(
    Count > 0 && Update.MaxParallel > Count,
    `${path}.Update: Update max parallel count is greater than task group count (${Update.MaxParallel} > ${Count}). A destructive change would result in the simultaneous replacement of all allocations.`,
  );
}

/** Automatic promotion waits until all groups enable it. */
export function promotionWarnings(job: Job): string[] {
  const groups = job.TaskGroups ?? [];
  const promoting = groups.filter(({ Update }) => Update?.AutoPromote === true).length;
  return when(
    promoting > 0 && promoting < groups.length,
    'auto_promote must be true for all groups to enable automatic promotion',
  );
}
