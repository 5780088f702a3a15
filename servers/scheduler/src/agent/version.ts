import { buildCommit } from '@tamis/http';
import manifest from '../../package.json' with { type: 'json' };

const [number = '', ...prerelease] = manifest.version.split('-');

/** The version of this program. The revision is the commit it was built from. */
export const version = Object.freeze({ number, prerelease: prerelease.join('-'), revision: buildCommit() });
