// Imported first by every script: says in one sentence that this Node is too old, before any newer syntax is reached.

const minimum = [20, 19];

/**
 * @param {string} version such as "20.19.1", without a leading "v"
 * @returns {string | null} what is wrong with it, or null
 */
export function nodeVersionProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [requiredMajor = 0, requiredMinor = 0] = minimum;
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return null;
  return (
    'Tamis needs Node ' +
    minimum.join('.') +
    ' or later; this is Node ' +
    version +
    '.\n' +
    'Install a current Node (https://nodejs.org) and run the same command again.'
  );
}

const problem = nodeVersionProblem(process.versions.node);
if (problem !== null) {
  process.stderr.write(problem + '\n');
  process.exit(1);
}
