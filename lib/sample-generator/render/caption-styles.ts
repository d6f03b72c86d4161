const captionScale = (length: number) => (length <= 40 ? 0.085 : length <= 110 ? 0.06 : 0.042);

const STYLE_FIELDS = [
  'Name',
  'Fontname',
  'Fontsize',
  'PrimaryColour',
  'OutlineColour',
  'Bold',
  'Spacing',
  'BorderStyle',
  'Outline',
  'Shadow',
  'Alignment',
  'MarginL',
  'MarginR',
  'MarginV',
] as const;

type Style = Readonly<Record<(typeof STYLE_FIELDS)[number], string | number>>;

// Colours are alpha, blue, green, red; in alpha, FF is invisible.
const onPicture = {
  Fontname: 'Inter',
  PrimaryColour: '&H00FFFFFF',
  OutlineColour: '&H80000000',
  Spacing: 0,
  BorderStyle: 1,
  Shadow: 0,
  Alignment: 1,
};
const inBox = {
  Fontname: 'Inter',
  PrimaryColour: '&H00181818',
  OutlineColour: '&H18FFFFFF',
  BorderStyle: 3,
  Shadow: 0,
  Alignment: 7,
};
const BOLD = -1;

const styles = (short: number, captionLength: number): Style[] => {
  const margin = Math.round(short * 0.06);
  const small = Math.max(8, short * 0.028);
  const edge = short / 240;
  const margins = { MarginL: margin, MarginR: margin, MarginV: margin };
  const box = Math.round(small * 0.45);
  return [
    {
      ...onPicture,
      ...margins,
      Name: 'Caption',
      Fontsize: short * captionScale(captionLength),
      Bold: BOLD,
      Outline: edge,
      MarginV: Math.round(margin + small * 2),
    },
    { ...onPicture, ...margins, Name: 'Label', Fontsize: small, Bold: 0, Outline: edge },
    {
      ...inBox,
      ...margins,
      Name: 'Badge',
      Fontsize: small,
      Bold: BOLD,
      Outline: box,
      Spacing: small * 0.12,
      MarginL: margin + box,
      MarginV: margin + box,
    },
  ];
};

/** The lines that describe the three texts: caption, label and the badge that says what this is. */
export const captionStyles = (short: number, captionLength: number): string[] => [
  `Format: ${STYLE_FIELDS.join(',')}`,
  ...styles(short, captionLength).map(
    (style) => `Style: ${STYLE_FIELDS.map((field) => style[field]).join(',')}`,
  ),
];
