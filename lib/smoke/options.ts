import { parseArgs } from 'node:util';

export const USAGE = `Checks a running service from outside, as its clients use it.

Usage: npm run smoke -- --base-url URL --api-key KEY [options]

  --base-url URL       address of the service, with its stage
  --api-key KEY        a key of it; else the environment variable API_KEY
  --origin ORIGIN      an origin of the setting allowedOrigins, to check its preflight
                       (on this machine http://127.0.0.1:8080)
  --long               also a generation over two minutes and a file over 20 MB
  --sample-generator   the upstream is the sample generator, which can be asked for these
                       (taken for granted on this machine)
  --yes                go ahead without a question, though the upstream may cost money
  --help               show this text`;

export type SmokeOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** An origin whose pages may call the API; undefined where none is known. */
  readonly origin: string | undefined;
  readonly long: boolean;
  readonly sampleGenerator: boolean;
  /** The service runs on this machine, where nothing costs money. */
  readonly loopback: boolean;
  readonly yes: boolean;
};

export class UsageError extends Error {}

const HINT = '; --help lists the options.';

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'base-url': { type: 'string' },
        'api-key': { type: 'string' },
        origin: { type: 'string' },
        long: { type: 'boolean', default: false },
        'sample-generator': { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('. ') : [];
    throw new UsageError(`${reason.replace(/\.$/, '')}${HINT}`, { cause });
  }
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const readAddress = (text: string | undefined): URL => {
  if (text === undefined) throw new UsageError(`--base-url is missing${HINT}`);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(`--base-url takes an http or https address without a query${HINT}`);
  return url;
};

/** Any port of it is allowed by `npm start`. */
const LOOPBACK_ORIGIN = 'http://127.0.0.1:8080';

const readOrigin = (text: string | undefined, loopback: boolean): string | undefined => {
  if (text === undefined) return loopback ? LOOPBACK_ORIGIN : undefined;
  if (URL.parse(text)?.origin !== text)
    throw new UsageError(`--origin takes a scheme and a host, such as https://app.example.com${HINT}`);
  return text;
};

/** The options, or undefined where only the help is asked for. */
export const readOptions = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): SmokeOptions | undefined => {
  const values = parse(args);
  if (values.help) return undefined;
  const url = readAddress(values['base-url']);
  const apiKey = values['api-key'] ?? environment.API_KEY ?? '';
  // A header cannot hold other characters, and fetch would show the key in its complaint.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError(`--api-key is missing or not a key${HINT}`);
  const loopback = LOOPBACK.test(url.hostname);
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    apiKey,
    origin: readOrigin(values.origin, loopback),
    long: values.long,
    sampleGenerator: values['sample-generator'] || loopback,
    loopback,
    yes: values.yes,
  };
};
