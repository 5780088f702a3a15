import { equip } from '../../src/equip/index.js';

// The sources are tested as everybody but browsers has them.
equip();
