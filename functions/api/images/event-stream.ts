/** Server-sent events. */
export const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' };

export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** A line that clients skip; it shows everybody on the way that the connection is in use. */
export const HEARTBEAT = ': working\n\n';
