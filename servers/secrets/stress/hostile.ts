import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildServer } from './build-server.js';
import { proveHostile } from './hostile-stress.js';

await runProof({
  about: `Sends what holders of ordinary tokens can think of, and tells how long others wait, what is written and how much
memory it takes. Ends with code 1 where somebody waits too long, or a request leaves more than 4 kB of audit.`,
  numbers: {
    requests: { usual: 10_000, most: 1_000_000, help: 'of each kind' },
    connections: { usual: 20, most: 500, help: 'that send them' },
    'longest-wait': { usual: 50, most: 60_000, help: 'milliseconds that somebody else may wait' },
  },
  run: ({ numbers: { 'longest-wait': longestWait, ...numbers }, directory, progress }) =>
    withBuilt(buildServer(), (main) => proveHostile({ ...numbers, main, directory, longestWait, progress })),
});
