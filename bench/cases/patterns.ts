import type { Job } from '../data/job.js';

/** RE2's pattern, and the native one that means the same on the names of the rows. */
export const patterns: readonly (readonly [pattern: string, native: RegExp])[] = [
  ['^web-', /^web-/],
  ['99$', /99$/],
  ['frontend', /frontend/],
  ['^web-frontend-77$', /^web-frontend-77$/],
  ['^web-.*9$', /^web-.*9$/],
  ['(?i)frontend', /frontend/i],
  ['(?i)^WEB-', /^WEB-/i],
  ['web|api|cron', /web|api|cron/],
  ['^(web|api)-', /^(?:web|api)-/],
  ['-(orders|users|events)-', /-(?:orders|users|events)-/],
  ['^[a-z]+-[a-z]+-[0-9]+$', /^[a-z]+-[a-z]+-[0-9]+$/],
  ['[0-9]{4}$', /[0-9]{4}$/],
  ['^\\w+-\\w+-\\d+$', /^\w+-\w+-\d+$/],
  ['o.*e.*s', /o.*e.*s/],
  ['[^a-z0-9-]', /[^a-z0-9-]/],
  ['\\bdb\\b', /\bdb\b/],
  ['^.{20}$', /^.{20}$/u],
  ['(a|e)(r|s)', /(?:a|e)(?:r|s)/],
  ['^([a-z]+-)+[0-9]+$', /^(?:[a-z]+-)+[0-9]+$/],
  ['.*frontend.*', /.*frontend.*/],
];

/** The filter for a pattern. */
export function patternFilter(pattern: string): string {
  return `Name matches ${JSON.stringify(pattern)}`;
}

/** What the filter looks at. */
export function patternSubject(job: Job): string {
  return job.Name;
}

/** The loop for a native pattern. */
export function selectNatively(jobs: readonly Job[], native: RegExp): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    // The index is below the length.
    const job = jobs[index] as Job;
    if (native.test(job.Name)) selected.push(job);
  }
  return selected;
}
