import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildServer } from './build-server.js';
import { proveCrashes } from './crash-stress.js';
import { proveRotations } from './rotation-stress.js';

await runProof({
  about: `Kills a server while clients write roles, and looks whether anything that was acknowledged is lost. Ends with code 1
where something is, and then leaves the store as it is.`,
  numbers: {
    kills: { standard: 100, max: 100_000, help: 'how often it is killed' },
    writers: { standard: 20, max: 500, help: 'clients that write at the same time' },
  },
  switches: { rotate: 'instead, while its keys are rotated and replaced' },
  run: ({ numbers, has, directory, progress }) =>
    withBuilt(buildServer(), (main) => {
      const prove = has('rotate') ? proveRotations : proveCrashes;
      return prove({ ...numbers, main, directory, maxLifeMs: 400, random: Math.random, progress });
    }),
  clue: ({ directory }) => `The store is in ${directory}`,
});
