import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Refusal, runCommand } from '../lib/command.ts';

const USAGE = `Builds and validates the template of the settings, in cdk.out, and says how large the stack is.

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

/** Where `cdk` writes, unless an option says otherwise. */
const ASSEMBLY = 'cdk.out';

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ properties: z.object({ templateFile: z.string().optional() }).optional() }),
  ),
});

/** The size and the cost of the choice of features and of other settings. */
const describeAssembly = async (folder: string): Promise<string> => {
  const { countTemplate } = await import('../lib/evidence/template-counts.ts');
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const { artifacts } = manifestSchema.parse(JSON.parse(read('manifest.json')));
  const [file = ''] = Object.values(artifacts).flatMap(({ properties }) => properties?.templateFile ?? []);
  const { functions, resources, monthlyDollars } = countTemplate(read(file), 0);
  return `${functions} functions, ${resources} resources of the 500 that CloudFormation allows, ${monthlyDollars.toFixed(2)} USD a month while idle.`;
};

const synthesize = async (options: readonly string[]): Promise<void> => {
  const { status } = spawnSync('cdk', ['synth', '--quiet', ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  const at = options.findIndex((option) => option === '-o' || option === '--output');
  const folder = options[at + 1];
  if (status === 0) console.log(await describeAssembly(at < 0 || folder === undefined ? ASSEMBLY : folder));
};

await runCommand(USAGE, async (args) => {
  const [option, name, ...others] = args;
  if (option === '--all' && name === undefined) return synthesizeDocumented();
  if (option === '--configuration' && others.length === 0) return synthesizeDocumented(name ?? '');
  return synthesize(args);
});
