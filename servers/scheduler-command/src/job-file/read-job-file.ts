import { ConfigError, parseConfig } from '@tamis/config';
import { readJson, RequestError } from '@tamis/http';
import { readHclJob } from './hcl-job.js';
import { maxJobFile, type JobDefinition } from './job-definition.js';

/**
 * Reads a job from HCL or JSON, as in the API, alone or as `{"Job": ...}`.
 *
 * @param name name of the source in errors, such as its file.
 * @throws ConfigError with the position of every error.
 */
export function readJobFile(text: string, name: string): JobDefinition {
  return /^\uFEFF?[ \t\r\n]*\{/.test(text) ? readJsonJob(text, name) : readHclJob(text, name);
}

function readJsonJob(text: string, name: string): JobDefinition {
  const at = { source: name, line: 1, column: 1 };
  let value: unknown;
  try {
    value = readJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    // This parser reports positions.
    parseConfig(text, { name, syntax: 'json', limits: { maxLength: maxJobFile, maxDepth: 64 } });
    throw new ConfigError([{ at, path: '', problem: error.message }]);
  }
  const entries = Object.entries(value as JobDefinition);
  const wrapped = entries.find(([key]) => key.toLowerCase() === 'job')?.[1];
  if (wrapped === undefined) return value as JobDefinition;
  if (typeof wrapped === 'object' && wrapped !== null && !Array.isArray(wrapped))
    return wrapped as JobDefinition;
  throw new ConfigError([{ at, path: 'Job', problem: 'expected an object' }]);
}
