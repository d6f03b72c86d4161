import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderJob } from './render-job.ts';

const captionScale = (length: number) => (length <= 40 ? 0.085 : length <= 110 ? 0.06 : 0.042);

/** Colours are &HAABBGGRR, where the alpha FF is invisible; -1 is bold. */
const captionStyles = (short: number, captionLength: number): string[] => {
  const margin = Math.round(short * 0.06);
  const small = Math.max(8, short * 0.028);
  const edge = short / 240;
  const box = Math.round(small * 0.45);
  const size = short * captionScale(captionLength);
  return [
    'Format: Name,Fontname,Fontsize,PrimaryColour,OutlineColour,Bold,Spacing,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV',
    `Style: Caption,Inter,${size},&H00FFFFFF,&H80000000,-1,0,1,${edge},0,1,${margin},${margin},${Math.round(margin + small * 2)}`,
    `Style: Label,Inter,${small},&H00FFFFFF,&H80000000,0,0,1,${edge},0,1,${margin},${margin},${margin}`,
    `Style: Badge,Inter,${small},&H00181818,&H18FFFFFF,-1,${small * 0.12},3,${box},0,7,${margin + box},${margin},${margin + box}`,
  ];
};

/** When the text is visible, in seconds. */
export type Showing = {
  readonly from: number;
  readonly to: number;
  readonly fadeIn: boolean;
  readonly fadeOut: boolean;
};

const CAPTION_LIMIT = 260;

/** Lines break only at spaces, so long words get some. No caption shows more than the beginning of a long text. */
const breakable = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, 3 * CAPTION_LIMIT)
    .replace(/(\S{24})(?=\S)/gu, '$1 ')
    .trim();

const shorten = (text: string) => {
  const characters = Array.from(breakable(text));
  if (characters.length <= CAPTION_LIMIT) return characters.join('');
  return `${characters.slice(0, CAPTION_LIMIT).join('').trimEnd()}…`;
};

/** Escapes braces and backslashes, which are commands in ASS. */
const plain = (text: string) => text.replace(/\\/g, '\\\u2060').replace(/[{}]/g, (brace) => `\\${brace}`);

const clock = (seconds: number) => {
  const minutes = String(Math.floor(seconds / 60)).padStart(2, '0');
  return `0:${minutes}:${(seconds % 60).toFixed(2).padStart(5, '0')}`;
};

export const captionScript = (job: RenderJob, showing: Showing): string => {
  const short = Math.min(job.width, job.height);
  const caption = shorten(job.prompt);
  const fade = `\\fad(${showing.fadeIn ? 500 : 0},${showing.fadeOut ? 400 : 0})`;
  const soft = `\\blur${(short / 360).toFixed(1)}`;
  const line = (style: string, effects: string, text: string) =>
    `Dialogue: 0,${clock(showing.from)},${clock(showing.to)},${style},{${effects}}${text}`;
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${job.width}`,
    `PlayResY: ${job.height}`,
    'WrapStyle: 0',
    'ScaledBorderAndShadow: yes',
    'YCbCr Matrix: TV.709',
    '[V4+ Styles]',
    ...captionStyles(short, caption.length),
    '[Events]',
    'Format: Layer,Start,End,Style,Text',
    line('Caption', fade + soft, plain(caption)),
    line('Label', fade + soft, plain(job.label)),
    line('Badge', fade, 'SAMPLE'),
    '',
  ].join('\n');
};

const FONT_FOLDER = '../../fonts';

/** Paths are relative to the job's folder, the working directory, so filter arguments need no escaping. */
export const captionFilter = async (job: RenderJob, showing: Showing): Promise<string> => {
  await writeFile(join(job.folder, 'caption.ass'), captionScript(job, showing));
  return `ass=filename=caption.ass:fontsdir=${FONT_FOLDER}`;
};
