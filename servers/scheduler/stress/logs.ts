import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildAgent } from './build-agent.js';
import { startLogCluster } from './log-cluster.js';
import { logsBounds, stressLogs } from './logs-stress.js';

await runProof({
  about: `Lets many follow one log, and then a few a log that is written faster than anybody reads: one as fast as it
can, one slowly and one not at all. A server, a client and the readers are a process each. Ends with code 1 where a line
is missing, or beyond these bounds: 200 KiB of memory for a follower, 250 MiB of the server and 350 MiB of the client
under the flood, 250 ms for other requests (p99).`,
  numbers: {
    followers: { standard: 1_000, help: 'of one log; as many file descriptors are needed: see ulimit -n' },
    rate: { standard: 100, help: 'megabytes that a task writes in a second' },
    seconds: { standard: 10, help: 'for each of the two' },
  },
  run: ({ numbers, progress }) =>
    withBuilt(buildAgent(), (main) =>
      stressLogs({
        ...{ ...numbers, progress, bounds: logsBounds },
        start: (maxFileStreams) => startLogCluster(main, maxFileStreams),
      }),
    ),
});
