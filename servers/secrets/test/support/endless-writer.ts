import { openLmdbStorage } from '../../src/storage/lmdb.js';

/** Writes pairs of entries for ever and says the name of each once it is acknowledged: for tests that kill it. */
const storage = await openLmdbStorage(process.argv[2] ?? '');
for (let at = 0; ; at += 1) {
  const value = Buffer.from(`value ${at}`);
  await storage.write([
    { path: `entry/${at}`, value },
    { path: `pair/${at}`, value },
  ]);
  process.stdout.write(`${at}\n`);
}
