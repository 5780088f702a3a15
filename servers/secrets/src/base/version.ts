import manifest from '../../package.json' with { type: 'json' };

/**
 * What the server calls itself to clients, which look for features by it: custom response headers are there from
 * 1.9.0 on. The version of this package follows as build metadata (semver.org, 10).
 */
export const productVersion = `1.9.0+tamis.${manifest.version}`;
