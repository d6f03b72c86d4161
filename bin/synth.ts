import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, runCommand } from '../lib/command.ts';

const USAGE = `Builds and validates the template of the settings, in cdk.out.

Usage: npm run synth -- [options of cdk synth]
       npm run synth -- --all
       npm run synth -- --configuration NAME

  --all                 the templates of all documented configurations, with a table of their figures
  --configuration NAME  one of them, such as default

The settings of the environment and of cdk.json do not apply to the documented configurations.`;

const FOLDER = join('cdk.out', 'configurations');

const synthesizeDocumented = async (name?: string): Promise<void> => {
  // Imported late, so that the usage is printed without loading CDK.
  const [{ CONFIGURATIONS }, { COUNT_TITLES, countRow, countTemplate }, { readConfig }, { createApp }] =
    await Promise.all([
      import('../lib/evidence/configurations.ts'),
      import('../lib/evidence/template-counts.ts'),
      import('../lib/config.ts'),
      import('../lib/stack.ts'),
    ]);
  const chosen = Object.entries(CONFIGURATIONS).filter(([each]) => name === undefined || each === name);
  if (chosen.length === 0)
    throw new Refusal(`--configuration must be one of ${Object.keys(CONFIGURATIONS).join(', ')}.`);
  // The functions' code does not change the template.
  process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:bundling-stacks': [] });
  const rows = chosen.map(([each, config]) => {
    const outdir = join(FOLDER, each);
    mkdirSync(outdir, { recursive: true });
    // Complete, so that nothing is left to the environment and cdk.json.
    const { app, config: complete } = createApp({ outdir, config: { ...readConfig(config), upstream: '' } });
    const { template } = app.synth().getStackByName(complete.stackName);
    const text = JSON.stringify(template);
    writeFileSync(join(FOLDER, `${each}.template.json`), text);
    return countRow(each, countTemplate(text, complete.upstreams.length));
  });
  for (const line of toTable([[...COUNT_TITLES], ...rows])) console.log(line);
  console.log(`The templates are in ${FOLDER}.`);
};

const toTable = (rows: readonly (readonly string[])[]): string[] =>
  rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(Math.max(...rows.map((each) => each[column]?.length ?? 0))))
      .join('  ')
      .trimEnd(),
  );

await runCommand(USAGE, async (args) => {
  const [option, name, ...others] = args;
  if (option === '--all' && name === undefined) return synthesizeDocumented();
  if (option === '--configuration' && others.length === 0) return synthesizeDocumented(name ?? '');
  process.exitCode = spawnSync('cdk', ['synth', '--quiet', ...args], { stdio: 'inherit' }).status ?? 1;
});
