import {
  ConfigError,
  decodeConfig,
  labelled,
  parseConfig,
  required,
  type ConfigMistake,
  type ConfigObject,
  type DecodeOptions,
  type Labelled,
} from '@tamis/config';
import { completeJob, submittedJobShape, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import { examineJob } from '@tamis/scheduler-model/job-validation.js';
import { findingsOf } from './explain-findings.js';
import { findHcl2, render } from './hcl-2.js';
import { isRefusal, readerOfBlock } from './hcl-readers.js';
import { createJobPlaces } from './job-places.js';
import { maxJobFile, type JobDefinition } from './job-definition.js';

const jobReader = readerOfBlock(submittedJobShape, '');

/** Marks of templates that are rendered to job files. */
const templateMarks = /\[\[-?\s.*?\]\]|\{\{.*?\}\}/;

/** Reads a job from HCL: `job "web" { group "g" { task "t" { ... } } }`. @throws ConfigError */
export function readHclJob(text: string, name: string): JobDefinition {
  try {
    return readFile(text, name);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const lines = text.split('\n');
    const explained = error.mistakes.map((mistake) => {
      const mark = templateMarks.exec(lines[mistake.at.line - 1] ?? '')?.[0];
      return mark === undefined
        ? mistake
        : { ...mistake, problem: `${JSON.stringify(mark.slice(0, 60))} ${render}` };
    });
    throw new ConfigError(explained);
  }
}

function readFile(text: string, name: string): JobDefinition {
  const root = parseConfig(text, { name, syntax: 'hcl2', limits: { maxLength: maxJobFile } });
  const computed = findHcl2(root);
  const others = mistakesOf(root);
  if (computed.length === 0) {
    if (others.length === 0) return readRoot(root);
    const more = others.every(isRefusal) ? furtherMistakes(root, text, name) : [];
    throw new ConfigError([...others, ...more].sort(byPlace));
  }
  const reported = new Set(computed.map(placeOf));
  // Further errors are pointless after HCL 2 expressions.
  throw new ConfigError(
    [...computed, ...others.filter((mistake) => !reported.has(placeOf(mistake)))].sort(byPlace),
  );
}

function mistakesOf(root: ConfigObject): readonly ConfigMistake[] {
  try {
    readRoot(root);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

/** Returns the mistakes a server would find in a job without its unsupported blocks. */
function furtherMistakes(root: ConfigObject, text: string, name: string): readonly ConfigMistake[] {
  const job = readRoot(root, { unknown: 'warning' }) as SubmittedJob;
  const { errors } = examineJob(completeJob(job, { namespace: 'default', region: 'global' }), 0);
  const found = errors.length === 0 ? null : findingsOf(listErrors(errors), createJobPlaces(text, name));
  return (found ?? []).map(({ at, problem }) => ({ at: at ?? root.at, path: '', problem }));
}

function placeOf({ at }: ConfigMistake): string {
  return `${at.line}:${at.column}`;
}

function byPlace({ at: a }: ConfigMistake, { at: b }: ConfigMistake): number {
  return a.line - b.line || a.column - b.column;
}

function readRoot(root: ConfigObject, options: DecodeOptions = {}): JobDefinition {
  const { job: jobs } = decodeConfig(root, { job: required(labelled(jobReader)) }, options);
  const [job, other]: readonly Labelled<JobDefinition>[] = jobs;
  if (job === undefined) {
    const at = root.entries.find(({ key }) => key === 'job')?.value.at ?? root.at;
    throw new ConfigError([
      { at, path: 'job', problem: 'its ID is missing: write it as in job "web" { ... }' },
    ]);
  }
  if (other !== undefined)
    throw new ConfigError([
      { at: other.at, path: `job ${JSON.stringify(other.label)}`, problem: 'one job a file' },
    ]);
  return { ID: job.label, ...job.value };
}
