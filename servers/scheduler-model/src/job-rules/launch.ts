import { CronError, parseCron } from '../cron.js';
import type { Job } from '../job.js';
import { when } from './findings.js';
import { quote } from '../quote.js';

/**
 * Maximum number of timetables per job. Each is searched for years ahead, so this bounds the cost of timetables that never match.
 */
const maxSpecs = 100;

/** Returns mistakes in the launch settings of a job. */
export function launchErrors(job: Job, now: number): string[] {
  const isBatch = job.Type === 'batch' || job.Type === 'sysbatch';
  const only = 'can only be used with "batch" or "sysbatch" scheduler';
  return [
    ...when(!isBatch && job.Periodic?.Enabled === true, `Periodic ${only}`),
    ...(isBatch ? timetableErrors(job, now) : []),
    ...when(!isBatch && job.ParameterizedJob !== null, `Parameterized job ${only}`),
    ...parameterErrors(job.ParameterizedJob),
  ];
}

/** Rejects timetables that are invalid or never match: such a job would never run. */
function timetableErrors({ Periodic }: Job, now: number): string[] {
  if (Periodic === null || !Periodic.Enabled) return [];
  if (Periodic.SpecType !== 'cron') {
    return [`Unknown periodic specification type ${quote(Periodic.SpecType)}`];
  }
  const specs = [Periodic.Spec, ...(Periodic.Specs ?? [])].filter((spec) => spec !== '');
  if (specs.length === 0) return ['Must specify a spec'];
  if (specs.length > maxSpecs) return [`Periodic has ${specs.length} specs, more than ${maxSpecs}`];
  return specs.flatMap((spec) => {
    const problem = specProblem(spec, Periodic.TimeZone, now);
    return problem === null ? [] : [`Invalid cron spec ${quote(spec)}: ${problem}`];
  });
}

function specProblem(spec: string, zone: string, now: number): string | null {
  try {
    return parseCron(spec, zone).next(now) === null ? 'there is no such day in the next nine years' : null;
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return error.message;
  }
}

function parameterErrors(rules: Job['ParameterizedJob']): string[] {
  if (rules === null) return [];
  const isKnown = ['optional', 'required', 'forbidden'].includes(rules.Payload);
  const required = new Set(rules.MetaRequired ?? []);
  const both = [...new Set(rules.MetaOptional ?? [])].filter((key) => required.has(key));
  return [
    ...when(!isKnown, `Unknown payload requirement: ${quote(rules.Payload)}`),
    ...when(
      both.length > 0,
      `Required and optional meta keys should be disjoint. Following keys exist in both: [${both.slice(0, 20).join(' ')}]`,
    ),
  ];
}
