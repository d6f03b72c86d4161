import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '..', '..');

/** The blocks in a language under a heading of a document, up to the next heading of any level. */
const blocks = (file: string, heading: string, language: string): readonly string[] => {
  const [, body] = `\n${readFileSync(join(PROJECT, file), 'utf8')}`.split(`\n${heading}\n`);
  if (body === undefined) throw new Error(`${file} has no heading ${heading}`);
  const [section = ''] = body.split(/^#{1,6} .*$/m);
  // A block within a list is indented.
  const pattern = new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms');
  return Array.from(section.matchAll(pattern), ([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
};

const findBlock = (language: string, file: string, heading: string, index = 0): string => {
  const found = blocks(file, heading, language)[index];
  if (found === undefined) throw new Error(`${file} has no such block of ${language} under ${heading}`);
  return found;
};

/** A document, one of its headings and, unless it is the first, the index of a block. */
export type Place = readonly [file: string, heading: string, index?: number];

export const shellBlock = (...place: Place): string => findBlock('sh', ...place);

export const jsonBlock = (...place: Place): string => findBlock('json', ...place);

/** Most commands are one line, for which no shell has to be asked. */
const PLAIN = /^(?!for |if |while )[^"'`$(){}\\|&;]+$/;

const isComplete = (text: string): boolean =>
  PLAIN.test(text) ||
  (!/(?:\\|\||&&)$/.test(text) && spawnSync('bash', ['-n', '-c', text], { stdio: 'ignore' }).status === 0);

/** Lines until the shell could run them. */
export const splitCommands = (block: string): readonly string[] => {
  const commands: string[] = [];
  let text = '';
  for (const line of block.split('\n')) {
    text = text === '' ? line.trim() : `${text}\n${line}`;
    if (text === '' || !isComplete(text)) continue;
    commands.push(text.replace(/\s+# [^\n'"]*$/, ''));
    text = '';
  }
  if (text !== '') throw new Error(`this command does not end:\n${text}`);
  return commands;
};
