import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildServer } from './build-server.js';
import { proveLogins } from './login-stress.js';

await runProof({
  about: `Logs in many times, and counts what the cloud is asked meanwhile. Ends with code 1 where that is more than it should
be.`,
  numbers: {
    logins: { standard: 5_000, max: 1_000_000, help: 'of workloads that the cloud knows' },
    connections: { standard: 20, max: 500, help: 'that log in at the same time' },
    external: { standard: 200, max: 10_000, help: 'whom it does not know' },
  },
  run: ({ numbers, directory, progress }) =>
    withBuilt(buildServer(), (main) => proveLogins({ ...numbers, main, directory, progress })),
});
