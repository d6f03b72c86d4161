import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const README = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');

const levelOf = (heading: string): number => heading.indexOf(' ');

/** The text under a heading, up to the next of its level or above. */
export const section = (heading: string): string => {
  const [, body] = README.split(`\n${heading}\n`);
  if (body === undefined) throw new Error(`the README has no section ${heading}`);
  const end = body.search(new RegExp(`\n#{1,${levelOf(heading)}} `));
  return end < 0 ? body : body.slice(0, end);
};

export const codeBlocks = (heading: string, language: string): string[] =>
  Array.from(
    section(heading).matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs')),
    ([, code]) => code ?? '',
  );

/** The cells of the first column of the tables in a section, without their code marks. */
export const firstColumn = (heading: string): string[] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map(
      (line) =>
        line
          .split(/(?<!\\)\|/)[1]
          ?.trim()
          .replaceAll('\\|', '|') ?? '',
    );
