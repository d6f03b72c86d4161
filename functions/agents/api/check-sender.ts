import { RpcError } from '../domain/messages.ts';

type Header = (name: string) => string | undefined;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** The host of an address; empty if there is no address. */
const hostName = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');
const originName = (address: string): string => (URL.canParse(address) ? new URL(address).origin : '');

type Addresses = {
  /** The address of this request, from its headers. */
  readonly baseUrl: string;
  /** The configured address of the service; empty without one. */
  readonly publicUrl: string;
  readonly isAllowedOrigin: boolean;
};

const refuse = (message: string): RpcError => new RpcError('transport', message, 403);

/**
 * A page that a browser has opened could reach a service on the same machine under another name (DNS rebinding), or
 * send requests from another site. Native clients send no Origin.
 */
export const checkSender = (header: Header, { baseUrl, publicUrl, isAllowedOrigin }: Addresses): void => {
  const host = (header('host') ?? '').toLowerCase();
  const isSecure = baseUrl.startsWith('https:');
  // API Gateway answers only to its own names; the local service answers to any.
  if (!isSecure && !LOOPBACK.test(host) && (host === '' || host !== hostName(publicUrl)))
    throw refuse('The Host header does not name this service.');
  const origin = header('origin');
  if (origin === undefined || isAllowedOrigin) return;
  const own = [originName(baseUrl), originName(publicUrl)].filter((each) => each !== '');
  if (!own.includes(origin.toLowerCase()))
    throw refuse(
      'Pages of this origin may not call the service: the setting allowedOrigins does not name it.',
    );
};
