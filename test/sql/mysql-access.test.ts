import fc from 'fast-check';
import { afterAll, describe } from 'vitest';
import { describeAccess } from '../access/sql-laws.js';
import { mysqlEngine } from './engines.js';
import { startMariadb, whyNoMariadb, type MariadbServer } from './mariadb.js';

describe.skipIf(whyNoMariadb !== null)(
  `access filters in MariaDB${whyNoMariadb === null ? '' : ` (skipped: ${whyNoMariadb})`}`,
  () => {
    let server: MariadbServer | null = null;

    afterAll(() => server?.stop());

    describeAccess(
      'mysql',
      async () => {
        server = await startMariadb();
        const connection = await server.connect();
        await connection.query("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
        return mysqlEngine(connection);
      },
      (law) => fc.assert(law, { numRuns: 6 }),
    );
  },
);
