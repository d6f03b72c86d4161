import { csvLine } from '../../functions/platform/domain/text.ts';

/** Reads what `csvLine` writes: quotes around fields with commas, quotes or line breaks. */
const readCsv = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
};

/** Adds the names of people, which the service keeps apart from the charges. */
export const withPersonNames = (csv: string, personName: (id: string) => string): string => {
  const [header = [], ...rows] = readCsv(csv);
  const column = header.indexOf('user_id');
  const withName = (row: readonly string[], name: string): string =>
    csvLine([...row.slice(0, column + 1), name, ...row.slice(column + 1)]);
  return [
    withName(header, 'user_name'),
    ...rows.map((row) => withName(row, row[column] === '' ? '' : personName(row[column] ?? ''))),
  ].join('');
};
