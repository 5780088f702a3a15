import manifest from '../../package.json' with { type: 'json' };

/**
 * Version that the server reports. Clients derive features from it, such as custom response headers since 1.9.0. The version of
 * this package follows as build metadata (semver.org, 10).
 */
export const productVersion = `1.9.0+tamis.${manifest.version}`;
