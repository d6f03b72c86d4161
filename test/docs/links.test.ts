import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, test } from 'node:test';
import { PROJECT } from './sections.ts';

const DOCUMENTS = ['', 'docs']
  .flatMap((folder) => readdirSync(join(PROJECT, folder)).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.md'));

const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  Array.from(read(file).matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const linksOf = (file: string) =>
  Array.from(read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)/g), ([, path = '', anchor]) => ({
    target: path === '' ? file : normalize(join(dirname(file), path)),
    anchor,
  }));

describe('every link leads to a file and a heading that are there:', () => {
  for (const file of DOCUMENTS)
    test(file, () => {
      for (const { target, anchor } of linksOf(file)) {
        assert.ok(existsSync(join(PROJECT, target)), target);
        if (anchor !== undefined) assert.ok(anchorsOf(target).includes(anchor), `${target}#${anchor}`);
      }
    });
});
