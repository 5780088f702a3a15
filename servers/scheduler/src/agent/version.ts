import manifest from '../../package.json' with { type: 'json' };

const [number = '', ...prerelease] = manifest.version.split('-');

/** What this program is called after its name. */
export const version = Object.freeze({ number, prerelease: prerelease.join('-'), revision: '' });
