/** The engine's sources as a program that the suite runs. */
import { serveTamis } from '../../conformance/drivers/tamis-answers.mjs';
import { equip } from '../../src/entries/equip.js';
import { engine } from './engine.js';

equip();
await serveTamis(engine, 'sources', process);
