import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderJob } from './render-job.ts';

const CAPTION_LIMIT = 260;

/** Text runs in from `from` to `to`, in seconds, and fades at the ends that lie inside the clip. */
export type Showing = {
  readonly from: number;
  readonly to: number;
  readonly fadeIn: boolean;
  readonly fadeOut: boolean;
};

const shorten = (text: string) => {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  return characters.length <= CAPTION_LIMIT
    ? characters.join('')
    : `${characters.slice(0, CAPTION_LIMIT).join('').trimEnd()}…`;
};

/** Braces open style overrides and a backslash starts a command: a prompt must only ever be shown. */
const plain = (text: string) => text.replace(/\\/g, '\\\u2060').replace(/[{}]/g, (brace) => `\\${brace}`);

const clock = (seconds: number) =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${(seconds % 60).toFixed(2).padStart(5, '0')}`;

const captionScale = (length: number) => (length <= 40 ? 0.085 : length <= 110 ? 0.06 : 0.042);

const style = (name: string, size: number, bold: boolean, more: string) =>
  `Style: ${name},Inter,${Math.round(size)},&H00FFFFFF,&H00FFFFFF,${more.includes('box') ? '&H30181818' : '&H90000000'},&H90000000,${bold ? -1 : 0},0,0,0,100,100,${name === 'Badge' ? Math.round(size * 0.12) : 0},0,`;

export const captionScript = (job: RenderJob, showing: Showing): string => {
  const short = Math.min(job.width, job.height);
  const margin = Math.round(short * 0.06);
  const caption = shorten(job.prompt);
  const size = short * captionScale(caption.length);
  const small = Math.max(8, short * 0.026);
  const fade = `{\\fad(${showing.fadeIn ? 500 : 0},${showing.fadeOut ? 400 : 0})\\blur${(short / 360).toFixed(1)}}`;
  const times = `${clock(showing.from)},${clock(showing.to)}`;
  const edge = (short / 260).toFixed(1);
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${job.width}`,
    `PlayResY: ${job.height}`,
    'WrapStyle: 0',
    'ScaledBorderAndShadow: yes',
    'YCbCr Matrix: TV.709',
    '[V4+ Styles]',
    'Format: Name,Fontname,Fontsize,PrimaryColour,SecondaryColour,OutlineColour,BackColour,Bold,Italic,Underline,StrikeOut,ScaleX,ScaleY,Spacing,Angle,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV,Encoding',
    `${style('Caption', size, true, '')}1,${edge},0,1,${margin},${margin},${Math.round(margin + small * 2)},1`,
    `${style('Label', small, false, '')}1,${edge},0,1,${margin},${margin},${margin},1`,
    `${style('Badge', small * 1.1, true, 'box')}3,${Math.round(small * 0.45)},0,7,${Math.round(margin + small * 0.3)},${margin},${margin},1`,
    '[Events]',
    'Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text',
    `Dialogue: 0,${times},Caption,,0,0,0,,${fade}${plain(caption)}`,
    `Dialogue: 0,${times},Label,,0,0,0,,${fade}${plain(job.label)}`,
    `Dialogue: 0,${times},Badge,,0,0,0,,${fade.replace(/\\blur[\d.]+/, '')}SAMPLE`,
    '',
  ].join('\n');
};

/** Where the typefaces are, seen from a job's folder. */
export const FONT_FOLDER = '../../fonts';

/** Names are relative to the job's folder, the child's working directory, so filter arguments need no escaping. */
export const captionFilter = async (job: RenderJob, showing: Showing): Promise<string> => {
  await writeFile(join(job.folder, 'caption.ass'), captionScript(job, showing));
  return `ass=filename=caption.ass:fontsdir=${FONT_FOLDER}`;
};
