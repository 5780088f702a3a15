import { createHash } from 'node:crypto';

/**
 * The id of a case without a recorded id: derived from its content, so that changed content is another case. Its letter names the
 * family of cases: `k` level 1, `s` level 0, `l` a lint.
 *
 * @param {Omit<import('./data.mjs').Case, 'id' | 'family' | 'sentences' | 'answer' | 'source'>} testCase
 */
export function idOf({ level, dialect, asks, expression, schema, row, unknown, now }) {
  const parts = [level, dialect ?? '', expression, schema ?? '', row ?? null, unknown ?? null, now ?? ''];
  const digest = createHash('sha256')
    .update(JSON.stringify(asks === undefined ? parts : [...parts, asks]))
    .digest('hex');
  const letter = asks === 'lint' ? 'l' : level === 1 ? 'k' : 's';
  return `${letter}${digest.slice(0, 10)}`;
}
