import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Puts each file beside itself in compressed form, once for all who will ask for it. */
export const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const text = file.type === 'chunk' ? file.code : file.source;
        const gzip = gzipSync(text, { level: 9 });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzip });
        this.emitFile({
          type: 'asset',
          fileName: `${fileName}.br`,
          source: brotliCompressSync(text, quality),
        });
      }
    },
  },
};
