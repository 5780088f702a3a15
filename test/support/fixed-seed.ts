import fc from 'fast-check';

/** Where CI says so, properties try the same cases in every run: a change is judged by what it changed. */
if (process.env.CI !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 });
