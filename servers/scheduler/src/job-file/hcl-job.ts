import { ConfigError, decodeConfig, labelled, parseConfig, required, type Labelled } from '@tamis/config';
import { submittedJobShape } from '../model/job-defaults.js';
import { explainSyntax, findHcl2 } from './hcl-2.js';
import { readerOfBlock } from './hcl-readers.js';
import { maxJobFile, type JobDefinition } from './job-definition.js';

const jobReader = readerOfBlock(submittedJobShape, '');

/** Reads a job from HCL 1: `job "web" { group "g" { task "t" { ... } } }`. @throws ConfigError */
export function readHclJob(text: string, name: string): JobDefinition {
  const { root, mistakes } = parse(text, name);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const { job: jobs } = decodeConfig(root, { job: required(labelled(jobReader)) });
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

function parse(text: string, name: string) {
  try {
    const root = parseConfig(text, { name, syntax: 'hcl', limits: { maxLength: maxJobFile } });
    return { root, mistakes: findHcl2(root) };
  } catch (error) {
    throw error instanceof ConfigError ? explainSyntax(error, text) : error;
  }
}
