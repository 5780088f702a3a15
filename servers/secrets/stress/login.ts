import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildServer } from './build-server.js';
import { proveLogins } from './login-stress.js';

await runProof({
  about: `Logs in many times, and counts what the cloud is asked meanwhile. Ends with code 1 where that is more than it should
be.`,
  numbers: {
    logins: { usual: 5_000, most: 1_000_000, help: 'of workloads that the cloud knows' },
    connections: { usual: 20, most: 500, help: 'that log in at the same time' },
    strangers: { usual: 200, most: 10_000, help: 'whom it does not know' },
  },
  run: ({ numbers, directory, progress }) =>
    withBuilt(buildServer(), (main) => proveLogins({ ...numbers, main, directory, progress })),
});
