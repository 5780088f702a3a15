import '../../src/entries/explain.js';
import { installDefaults } from '../../src/entries/node-defaults.js';

// The sources are tested as everybody but browsers has them.
installDefaults();
