import type { Plugin } from 'esbuild';

/** Replaces the module with the values of its exports, so that a function starts with the result of the computation. */
export const evaluatedModules: Plugin = {
  name: 'evaluated-modules',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]functions[\\/]openapi[\\/]compressed-document\.ts$/ }, async ({ path }) => ({
      contents: Object.entries(await import(path))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n'),
    })),
};
