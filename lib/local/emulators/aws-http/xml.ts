const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

// Control characters may be in a key but not, as they are, in XML.
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

/** The inner XML of every element of this name. Enough for the flat requests that clients send. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inner]) => inner ?? '',
  );

export const textsOf = (xml: string, name: string): string[] => elements(xml, name).map(unescapeXml);

export const textOf = (xml: string, name: string): string | undefined => textsOf(xml, name)[0];
