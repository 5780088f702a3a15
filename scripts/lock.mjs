import { mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 2_000;
/** A holder that has not touched its lock for so long is gone, whatever its process id says. */
const abandonedMs = 60_000;
const retryMs = 100;

/**
 * Runs `work` while holding the lock file. A second process waits; a lock whose holder died is broken.
 *
 * @template T
 * @param {string} file
 * @param {(owner: string) => void} onWait called once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, onWait, work) {
  await acquire(file, onWait);
  const heartbeat = setInterval(() => touch(file), heartbeatMs);
  heartbeat.unref();
  const release = () => removeQuietly(file, unlinkSync);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.removeListener('exit', release);
    release();
  }
}

/**
 * @param {string} file
 * @param {(owner: string) => void} onWait
 */
async function acquire(file, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${process.pid} ${hostname()}`;
  let announced = false;
  for (;;) {
    try {
      writeFileSync(file, own, { flag: 'wx' });
      return;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const owner = readOwner(file);
    if (owner === null) continue;
    if (isAbandoned(file, owner)) {
      breakLock(file, owner);
      continue;
    }
    if (!announced) onWait(owner);
    announced = true;
    await sleep(retryMs);
  }
}

/** @param {string} file */
function readOwner(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * @param {string} file
 * @param {string} owner
 */
function isAbandoned(file, owner) {
  const age = ageOf(file);
  if (age > abandonedMs) return true;
  const [pid = '', host] = owner.split(' ');
  // An empty file is a lock whose owner is between creating and writing it.
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}

/**
 * Two waiters may both see a dead holder. Only the one that creates the `.break` folder may remove the lock, and only
 * while it still names that holder, so that no process removes the lock of a live successor.
 *
 * @param {string} file
 * @param {string} owner
 */
function breakLock(file, owner) {
  const breaker = `${file}.break`;
  try {
    mkdirSync(breaker);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    if (ageOf(breaker) > abandonedMs) removeQuietly(breaker, rmdirSync);
    return;
  }
  try {
    if (readOwner(file) === owner) removeQuietly(file, unlinkSync);
  } finally {
    removeQuietly(breaker, rmdirSync);
  }
}

/** @param {string} path */
function ageOf(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** @param {string} file */
function touch(file) {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // The lock was removed by hand; the work goes on.
  }
}

/**
 * @param {string} path
 * @param {(path: string) => void} remove
 */
function removeQuietly(path, remove) {
  try {
    remove(path);
  } catch {
    // Already gone.
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
