import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildServer } from './build-server.js';
import { proveFuzz } from './fuzz-stress.js';

await runProof({
  about: `Sends bodies, tokens and files of every kind to a server, and checks what it returns, requests and writes. Ends with code 1
where an input is not refused as it should be, or a secret is found in a log.`,
  numbers: {
    runs: { standard: 2_000, max: 1_000_000, help: 'inputs of each kind' },
    seed: { standard: Date.now() % 1_000_000, min: 0, help: 'that they are made from' },
  },
  run: ({ numbers, directory, progress }) =>
    withBuilt(buildServer(), (main) => proveFuzz({ ...numbers, main, directory, progress })),
  clue: ({ numbers, directory }) => `Again with --seed ${numbers.seed}; the store is in ${directory}`,
});
