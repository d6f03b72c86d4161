import { readPackage, type ShippedPackage } from './shipped-packages.ts';

/** In the folder of every function; bundles themselves carry no comments, which would slow down their start. */
export const LICENSES_FILE = 'THIRD_PARTY_LICENSES.txt';

const INTRODUCTION = 'This software contains code of the following npm packages, under the licenses below.';
const LINE = '-'.repeat(80);

const title = ({ name, version, license }: ShippedPackage): string => `${name} ${version} (${license})`;

/** Packages of one publisher have the same text, which is then there once. */
export const licenseNotices = (folders: readonly string[]): string => {
  const byText = Map.groupBy(folders.map(readPackage), ({ texts }) => texts.join('\n\n'));
  const sections = [...byText].map(([text, packages]) =>
    [LINE, ...packages.map(title), ...(text === '' ? [] : ['', text])].join('\n'),
  );
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
};
