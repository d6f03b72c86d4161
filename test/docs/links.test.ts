import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, test } from 'node:test';
import { DOCUMENTS, PROJECT, readDocument } from './sections.ts';

/** The anchors of a document's headings, as GitHub generates them. */
const headingAnchors = (file: string): string[] =>
  Array.from(readDocument(file).matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const relativeLinks = (file: string) =>
  Array.from(
    readDocument(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)/g),
    ([, path = '', anchor]) => ({
      target: path === '' ? file : normalize(join(dirname(file), path)),
      anchor,
    }),
  );

describe('every link points to an existing file and heading:', () => {
  for (const file of DOCUMENTS)
    test(file, () => {
      for (const { target, anchor } of relativeLinks(file)) {
        assert.ok(existsSync(join(PROJECT, target)), target);
        if (anchor !== undefined) assert.ok(headingAnchors(target).includes(anchor), `${target}#${anchor}`);
      }
    });
});
