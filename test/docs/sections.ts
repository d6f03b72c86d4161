import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '..', '..');

export const DOCUMENTS = ['', 'docs']
  .flatMap((folder) => readdirSync(join(PROJECT, folder)).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.md'));

export const readDocument = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** A document and one of its headings, as in `docs/api.md` and `## Errors`. */
type Place = readonly [file: string, heading: string];

const headingLevel = (heading: string): number => heading.indexOf(' ');

/** The text under a heading, up to the next heading of its level or above. */
export const section = ([file, heading]: Place): string => {
  const [, body] = `\n${readDocument(file)}`.split(`\n${heading}\n`);
  if (body === undefined) throw new Error(`${file} has no section ${heading}`);
  const end = body.search(new RegExp(`\n#{1,${headingLevel(heading)}} `));
  return end < 0 ? body : body.slice(0, end);
};

export const codeBlocks = (place: Place, language: string): string[] =>
  Array.from(
    section(place).matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs')),
    ([, code]) => code ?? '',
  );

/** The cells of the tables in a section, without the links around their texts. */
export const tableRows = (place: Place): string[][] =>
  section(place)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.replaceAll('\\|', '|').trim()),
    );

/** The names in backticks in a cell. */
export const namesInCell = (cell = ''): string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? '');

/** The names in backticks in the first column of the tables in a section. */
export const firstColumn = (place: Place): string[] =>
  tableRows(place)
    .filter(([first = '']) => first.startsWith('`'))
    .flatMap(([first]) => namesInCell(first));
