import { equip } from '../../src/equip.js';

// The sources are tested as everybody but browsers has them.
equip();
