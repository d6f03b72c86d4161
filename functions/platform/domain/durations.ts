/** Durations in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How long a signed URL of a video, image or file is valid. */
export const SIGNED_URL_SECONDS = 300;
