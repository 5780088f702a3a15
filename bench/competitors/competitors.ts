import { loadEngine, loadEngineCopy } from '../engine.js';
import type { Competitor } from './competitor.js';

/** All competitors, the engine and its variants first. Only the selected ones are loaded. */
const makers: Readonly<Record<string, () => Promise<Competitor>>> = {
  tamis: async () => (await import('./tamis.js')).createTamis(await loadEngine()),
  'tamis-closures': async () => (await import('./tamis.js')).createTamisClosures(await loadEngineCopy()),
  'tamis-test': async () => (await import('./tamis.js')).createTamisTest(await loadEngineCopy()),
  'tamis-kept-test': async () => (await import('./tamis.js')).createTamisCachedTest(await loadEngineCopy()),
  'tamis-once': async () => (await import('./tamis.js')).createTamisOnce(await loadEngineCopy()),
  'tamis-open': async () => (await import('./tamis.js')).createTamisOpen(await loadEngineCopy()),
  'json-logic-engine': async () => (await import('./json-logic-engine.js')).createJsonLogicEngine(),
  subscript: async () => (await import('./subscript.js')).createSubscript(),
  filtrex: async () => (await import('./filtrex.js')).createFiltrex(),
  sift: async () => (await import('./sift.js')).createSift(),
  'cel-js': async () => (await import('./cel-js.js')).createCelJs(),
  mingo: async () => (await import('./mingo.js')).createMingo(),
  liqe: async () => (await import('./liqe.js')).createLiqe(),
  jexl: async () => (await import('./jexl.js')).createJexl(),
  jsonata: async () => (await import('./jsonata.js')).createJsonata(),
  'bufbuild-cel': async () => (await import('./bufbuild-cel.js')).createBufbuildCel(),
};

export const competitorNames: readonly string[] = Object.keys(makers);

/** @throws RangeError if a name is not in `competitorNames`. */
export async function loadCompetitor(name: string): Promise<Competitor> {
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (make === undefined) throw new RangeError(`there is no competitor ${name}`);
  return make();
}
