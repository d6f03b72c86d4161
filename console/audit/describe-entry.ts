import type { AuditLogObject } from '../../functions/identity/api/audit-log-object.ts';
import { formatTime } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';

type AuditDetails = Readonly<Record<string, unknown>> & { readonly id: string };

const isDetails = (value: unknown): value is AuditDetails =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';

/** The details are in a field with the name of the type. */
const readDetails = (entry: AuditLogObject): AuditDetails => {
  const found = Object.entries(entry).find(([name]) => name === entry.type)?.[1];
  return isDetails(found) ? found : { id: '' };
};

/** Names of the changed item, best first; the sentence shows one of them. */
const NAMES = ['name', 'name_to', 'email', 'host'] as const;

const itemName = (details: AuditDetails): string => {
  for (const field of NAMES) {
    const value = details[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return details.id;
};

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
const ID = /^([a-z]{1,8})_[0-9a-z]{16,}$/;
const SHOWN_END = 6;

/** Times as everywhere in the console. Of an id, its kind and its end are enough to recognize it. */
const showText = (text: string): string => {
  if (ISO_TIME.test(text)) return formatTime(Date.parse(text) / 1000);
  const kind = ID.exec(text)?.[1];
  return kind === undefined ? text : `${kind}_…${text.slice(-SHOWN_END)}`;
};

const showValue = (value: unknown): string => {
  if (isEmpty(value)) return texts.audit.nothing;
  return (Array.isArray(value) ? value : [value]).map((each) => showText(String(each))).join(', ');
};

type Described = {
  readonly sentence: string;
  /** The other details, such as a role before and after. */
  readonly facts: readonly (readonly [name: string, value: string])[];
};

export const describeEntry = (entry: AuditLogObject): Described => {
  const details = readDetails(entry);
  const name = itemName(details);
  const facts = Object.entries(details).flatMap(([field, value]) => {
    const changed = /^(.+)_(from|to)$/.exec(field);
    const label = (changed?.[1] ?? field).replaceAll('_', ' ');
    // Both values of a change are shown at the first one.
    if (changed?.[2] === 'to')
      return `${changed[1]}_from` in details ? [] : [[label, showValue(value)] as const];
    if (changed !== null)
      return [[label, texts.audit.change(showValue(value), showValue(details[`${changed[1]}_to`]))] as const];
    return field === 'id' || isEmpty(value) || value === name ? [] : [[label, showValue(value)] as const];
  });
  return { sentence: texts.audit.events[entry.type][1](showText(name)), facts };
};

/** Browsers by a word that only they use; others contain the words of Chrome and Safari. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS', 'macOS'],
  ['Android', 'Android'],
  ['Linux', 'Linux'],
] as const;

/** `Firefox, Windows` for a browser; for other clients, the first word of what they send. */
export const clientName = (userAgent: string): string => {
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([word]) => userAgent.includes(word))?.[1];
  const browser = find(BROWSERS);
  if (browser === undefined) return userAgent.split(' ', 1)[0] ?? '';
  const system = find(SYSTEMS);
  return system === undefined ? browser : `${browser}, ${system}`;
};
