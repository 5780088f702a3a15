import fc from 'fast-check';
import { describe } from 'vitest';
import { dialects, sharedEngine } from '../sql/engines.js';
import { describeAccess } from './sql-laws.js';

describe.each(dialects)('%s', (dialect) =>
  describeAccess(
    dialect,
    () => sharedEngine(dialect),
    (law) => fc.assert(law, { numRuns: 6 }),
  ),
);
