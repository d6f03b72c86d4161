/** The upstream refuses for minutes, so a task causes one worker step and no rendering. */
export const HELD_BACK = 'a [sample: error 429 retry 300s always]';
export const ofSeconds = (seconds: number): string =>
  `A lighthouse in a storm, with rolling thunder [sample: delay ${seconds}s]`;
export const videoOfMegabytes = (megabytes: number): string =>
  `A still lake at noon [sample: size ${megabytes}MB]`;
/** In Base64 within the operation. */
export const inlineVideoOfMegabytes = (megabytes: number): string =>
  `A still lake at noon [sample: size ${megabytes}MB, inline video]`;
