import { parseArgs } from 'node:util';

export const USAGE = `Checks a running service from outside, as its clients use it.

Usage: npm run smoke -- --base-url URL --api-key KEY [options]

  --base-url URL       address of the service, including its stage
  --api-key KEY        an API key; default: the environment variable API_KEY
  --origin ORIGIN      an origin of the setting allowedOrigins, to check its preflight
                       (default for this machine: http://127.0.0.1:8080)
  --long               also check a generation over two minutes and a file over 20 MB
  --sample-generator   the upstream is the sample generator, which --long requires
                       (assumed on this machine)
  --yes                start without confirmation, although the upstream may cost money
  --help               show this text`;

export type SmokeOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** An origin whose pages may call the API, if known. */
  readonly origin: string | undefined;
  readonly long: boolean;
  readonly sampleGenerator: boolean;
  /** The service runs on this machine and costs nothing. */
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
    throw new UsageError(`--base-url must be an http or https address without a query${HINT}`);
  return url;
};

/** `npm start` allows any port of this host. */
const LOOPBACK_ORIGIN = 'http://127.0.0.1:8080';

const readOrigin = (text: string | undefined, loopback: boolean): string | undefined => {
  if (text === undefined) return loopback ? LOOPBACK_ORIGIN : undefined;
  if (URL.parse(text)?.origin !== text)
    throw new UsageError(`--origin must be a scheme and a host, such as https://app.example.com${HINT}`);
  return text;
};

/** The options, or undefined for --help. */
export const readOptions = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): SmokeOptions | undefined => {
  const values = parse(args);
  if (values.help) return undefined;
  const url = readAddress(values['base-url']);
  const apiKey = values['api-key'] ?? environment.API_KEY ?? '';
  // Other characters are not allowed in a header, and the error of fetch would contain the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError(`--api-key is missing or invalid${HINT}`);
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
