/** `npm start` with the tests' stack, to be killed from outside. */

import { mkdir, readdir, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { configSchema } from '../../lib/config-schema.ts';
import { run } from '../../lib/local/start/run.ts';
import { issueApiKey, issueSignInUrl } from '../../lib/operator/administration.ts';
import { stackBaseUrl } from '../../lib/operator/operated-stack.ts';
import { assemblyFor, withShortClaims, withUpstreams } from '../support/assembly.ts';

/** The first of several upstreams generates few videos at once, so that some go to the next. */
const changeTemplate = (given: unknown): ((template: string) => string) => {
  if (given === undefined) return withShortClaims;
  const { upstreams } = configSchema.pick({ upstreams: true }).parse({ upstreams: given });
  const limited = upstreams.map((upstream, index) => ({
    ...upstream,
    priority: index + 1,
    ...(index === 0 ? { videosAtOnce: 3 } : {}),
  }));
  return (template) => withUpstreams(limited)(withShortClaims(template));
};

process.exit(
  await run(process.argv.slice(2), {
    synthesize: async ({ outdir, settings }) => {
      await mkdir(outdir);
      const { templateFile, assetsFile } = await assemblyFor(
        String(settings.upstreamBaseUrl),
        outdir,
        changeTemplate(settings.upstreams),
      );
      // The code must lie beside the template; links to it take less time than copies.
      const source = dirname(assetsFile);
      for (const name of await readdir(source))
        if (name !== basename(templateFile)) await symlink(join(source, name), join(outdir, name));
      return templateFile;
    },
    issueKey: (stack) => issueApiKey(stack, { account: 'tester', name: 'test' }),
    issueSignInUrl: (stack) => issueSignInUrl(stack, stackBaseUrl(stack), 'tester'),
    drafts: true,
  }),
);
