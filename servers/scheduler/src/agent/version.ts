import manifest from '../../package.json' with { type: 'json' };

const [number = '', ...prerelease] = manifest.version.split('-');

/** The version of this program, as its parts. */
export const version = Object.freeze({ number, prerelease: prerelease.join('-'), revision: '' });
