import '../../src/entries/explain.js';
import { equip } from '../../src/entries/equip.js';

// The sources are tested as everybody but browsers has them.
equip();
