const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

// Object keys may contain control characters, which XML requires to be escaped.
const ESCAPED = /[&<>"'\p{Cc}]/gu;
const NAMES = new Map(Object.entries(ENTITIES).map(([name, character]) => [character, name]));

const escapeXml = (text: string): string =>
  text.replace(ESCAPED, (character) => `&${NAMES.get(character) ?? `#${character.charCodeAt(0)}`};`);

const decodeReference = (reference: string): string => {
  if (reference.startsWith('#x')) return String.fromCodePoint(Number.parseInt(reference.slice(2), 16));
  if (reference.startsWith('#')) return String.fromCodePoint(Number(reference.slice(1)));
  return ENTITIES[reference] ?? '';
};

const unescapeXml = (text: string): string =>
  text.replace(/&(#x[0-9a-fA-F]{1,5}|#[0-9]{1,6}|amp|lt|gt|quot|apos);/g, (_, reference) =>
    decodeReference(String(reference)),
  );

export const element = (name: string, value: string | number | boolean): string =>
  `<${name}>${escapeXml(String(value))}</${name}>`;

/** The inner XML of all elements with this name; sufficient for the flat requests of clients. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inner]) => inner ?? '',
  );

export const elementTexts = (xml: string, name: string): string[] => elements(xml, name).map(unescapeXml);

export const elementText = (xml: string, name: string): string | undefined => elementTexts(xml, name)[0];
