import { cloudMethod } from '../auth/cloud/method-type.js';
import type { AuthMethodType } from '../auth/method-type.js';

/** The auth methods that a configuration can mount. A new one is a folder in `auth/` and an entry here. */
export const authMethods: readonly AuthMethodType[] = [cloudMethod];
