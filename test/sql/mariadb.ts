import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireExtra, whyExtraMissing } from '../support/extra.js';
import type { MysqlConnection } from './engines.js';

const program = '/usr/sbin/mariadbd';

/** The reason why MariaDB cannot be tested here; null if it can. */
export const whyNoMariadb: string | null =
  whyExtraMissing('extra/sql') ?? (existsSync(program) ? null : `${program} is not installed`);

/** A pool of one of the two drivers. */
export interface MysqlPool {
  getConnection(): Promise<object>;
  end(): Promise<void>;
}

/** A MariaDB server in a temporary directory. It listens only on a socket there. */
export interface MariadbServer {
  readonly socket: string;
  /** Opens a connection of mysql2. */
  connect(options?: object): Promise<MysqlConnection>;
  /** Opens a pool of the driver `mysql2` or `mariadb`. */
  pool(driver: 'mysql2' | 'mariadb', options?: object): MysqlPool;
  stop(): Promise<void>;
}

/** Returns the user that runs the server, which refuses root; null to keep the current one. */
function owner(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts a server whose default collation ignores letter case, so that no test passes by luck. */
export async function startMariadb(): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-mariadb-'));
  const user = owner();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const;
  const socket = join(folder, 's');
  const data = `--datadir=${join(folder, 'data')}`;
  const own = ['--no-defaults', data, '--innodb-flush-method=fsync', '--innodb-log-file-size=8M'];
  execFileSync(
    'mariadb-install-db',
    [...own, '--auth-root-authentication-method=normal', '--skip-test-db'],
    options,
  );
  const server = spawn(
    program,
    [
      ...own,
      ...[`--socket=${socket}`, `--pid-file=${join(folder, 'pid')}`, '--skip-networking'],
      ...['--innodb-flush-log-at-trx-commit=0', '--skip-log-bin', '--character-set-server=utf8mb4'],
      ...['--collation-server=utf8mb4_general_ci', '--max-prepared-stmt-count=100000'],
    ],
    options,
  );
  const ended = once(server, 'exit');
  const kill = (): void => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  // Stops the server if the test process fails.
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const address = { socketPath: socket, user: 'root', database: 'tamis' };
  const { createConnection } = requireExtra('extra/sql', 'mysql2/promise') as {
    createConnection(options: object): Promise<MysqlConnection>;
  };
  try {
    for (;;) {
      if (server.exitCode !== null) throw new Error('MariaDB has ended');
      try {
        const connection = await createConnection({ socketPath: socket, user: 'root' });
        await connection.query('CREATE DATABASE IF NOT EXISTS tamis');
        await connection.end();
        break;
      } catch (error) {
        if (!/ENOENT|ECONNREFUSED/.test(String(error))) throw error;
        await sleep(50);
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    socket,
    connect: (given = {}) => createConnection({ ...address, maxPreparedStatements: 200, ...given }),
    pool(driver, given = {}) {
      const { createPool } = requireExtra('extra/sql', driver === 'mysql2' ? 'mysql2/promise' : driver) as {
        createPool(options: object): MysqlPool;
      };
      return createPool({ ...address, connectionLimit: 3, ...given });
    },
    stop,
  };
}
