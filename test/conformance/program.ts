/** The engine's sources as a program that the suite runs. */
import { serveTamis } from '../../conformance/drivers/tamis-answers.mjs';
import { installDefaults } from '../../src/entries/node-defaults.js';
import { engine } from './engine.js';

installDefaults();
await serveTamis(engine, 'sources', process);
