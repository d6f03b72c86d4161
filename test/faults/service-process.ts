/** `npm start` with the tests' stack, to be killed from outside. */

import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { configSchema } from '../../lib/config-schema.ts';
import { run } from '../../lib/local/start/run.ts';
import { issueApiKey, issueSignInUrl } from '../../lib/operator/administration.ts';
import { stackBaseUrl } from '../../lib/operator/operated-stack.ts';
import { assemblyFor, UPSTREAM_PLACEHOLDER, withShortClaims, withUpstreams } from '../support/assembly.ts';

/** Another service process that generates the videos of this one, as JSON; without it, sample generators do. */
const { UPSTREAM_SERVICE } = process.env;

const chainTo = (service: string) => {
  const { baseUrl, apiKey } = JSON.parse(service);
  const hub = { name: 'hub', kind: 'openai', baseUrl, options: 'media-generation' };
  return { upstreams: { settings: { upstreams: [hub] }, secret: apiKey, lines: [] } };
};

/** The newer protocols; the first upstream generates few videos at once, so that some go to the next. */
const KINDS = ['openrouter', 'openai', 'interactions'];

const changeTemplate = (given: unknown): ((template: string) => string) => {
  const { upstreams } = configSchema.pick({ upstreams: true }).parse({ upstreams: given });
  const limited = upstreams
    .filter(({ kind }) => KINDS.includes(kind))
    .map((upstream, index, all) => ({
      ...upstream,
      priority: index + 1,
      ...(index === 0 && all.length > 1 ? { videosAtOnce: 3 } : {}),
    }));
  return (template) => withUpstreams(limited)(withShortClaims(template));
};

process.exit(
  await run(process.argv.slice(2), {
    ...(UPSTREAM_SERVICE === undefined ? {} : chainTo(UPSTREAM_SERVICE)),
    synthesize: async ({ outdir, settings }) => {
      await rm(outdir, { recursive: true, force: true });
      await mkdir(outdir);
      const { templateFile, assetsFile } = await assemblyFor(
        UPSTREAM_PLACEHOLDER,
        outdir,
        changeTemplate(settings.upstreams),
      );
      // The code must lie beside the template; links to it take less time than copies.
      const source = dirname(assetsFile);
      for (const name of await readdir(source))
        if (name !== basename(templateFile)) await symlink(join(source, name), join(outdir, name));
      return { templateFile };
    },
    issueKey: (stack) => issueApiKey(stack, { account: 'tester', name: 'test' }),
    issueSignInUrl: (stack) => issueSignInUrl(stack, stackBaseUrl(stack), 'tester'),
    drafts: true,
  }),
);
