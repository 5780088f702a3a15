import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes a compressed copy next to each file at build time, for all later requests. */
export const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const files = Object.entries(bundle).map(async ([fileName, file]) => {
        const text = file.type === 'chunk' ? file.code : file.source;
        const [small, smaller] = await Promise.all([gzipped(text, { level: 9 }), brotli(text, quality)]);
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: small });
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: smaller });
      });
      await Promise.all(files);
    },
  },
};
