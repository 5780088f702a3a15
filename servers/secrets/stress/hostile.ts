import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildServer } from './build-server.js';
import { proveHostile } from './hostile-stress.js';

await runProof({
  about: `Sends what holders of ordinary tokens can think of, and tells how long others wait, what is written and how much
memory it takes. Ends with code 1 where somebody waits too long, or a request leaves more than 4 kB of audit.`,
  numbers: {
    requests: { standard: 10_000, max: 1_000_000, help: 'of each kind' },
    connections: { standard: 20, max: 500, help: 'that send them' },
    'longest-wait': { standard: 50, max: 60_000, help: 'milliseconds that somebody else may wait' },
  },
  run: ({ numbers: { 'longest-wait': maxWaitMs, ...numbers }, directory, progress }) =>
    withBuilt(buildServer(), (main) => proveHostile({ ...numbers, main, directory, maxWaitMs, progress })),
});
