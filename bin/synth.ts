import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATIONS } from '../lib/evidence/configurations.ts';
import { COUNT_TITLES, countRow, countTemplate } from '../lib/evidence/template-counts.ts';
import { createApp } from '../lib/stack.ts';

/** `npm run synth` runs `cdk synth`; with `--all` it writes the templates of the documented configurations. */

const FOLDER = join('cdk.out', 'configurations');

const synthesizeAll = (): void => {
  // The functions' code does not change the template.
  process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:bundling-stacks': [] });
  const rows = Object.entries(CONFIGURATIONS).map(([name, config]) => {
    const outdir = join(FOLDER, name);
    mkdirSync(outdir, { recursive: true });
    const { app, config: complete } = createApp({ outdir, config });
    const { template } = app.synth().getStackByName(complete.stackName);
    const text = JSON.stringify(template);
    writeFileSync(join(FOLDER, `${name}.template.json`), text);
    return countRow(name, countTemplate(text, complete.upstreams.length));
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

const options = process.argv.slice(2);
if (options.length === 1 && options[0] === '--all') synthesizeAll();
else process.exitCode = spawnSync('cdk', ['synth', '--quiet', ...options], { stdio: 'inherit' }).status ?? 1;
