import { parseArgs } from 'node:util';
import { LocalCloudError } from '../errors.ts';

export const USAGE = `Runs the whole service on this machine.

Usage: npm start -- [options]

  --port N     port of the API (default 8787)
  --data DIR   folder of the data (default .local)
  --reset      start with empty data
  --verbose    show the functions' own logs
  --help       show this text`;

export type StartOptions = {
  readonly port: number;
  readonly folder: string;
  readonly reset: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
};

export const readOptions = (args: readonly string[]): StartOptions => {
  const { port, data, reset, verbose, help } = parse(args);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new LocalCloudError(`--port takes a number from 0 to 65535, not ${port}.`);
  }
  if (data === '') throw new LocalCloudError('--data takes the name of a folder.');
  return { port: Number(port), folder: data, reset, verbose, help };
};

const parse = (args: readonly string[]) => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: '.local' },
        reset: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('. ') : [];
    throw new LocalCloudError(`${reason.replace(/\.$/, '')}; --help lists the options.`, { cause });
  }
};
