import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../platform/domain/errors.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';
import { type Environment, publicUrlRules, type REMOTE_IMAGES } from '../../platform/runtime/environment.ts';
import {
  describeFailure,
  type PublicNetwork,
  publicRequests,
} from '../../platform/runtime/public-request.ts';
import { checkImage, type InputImage } from '../domain/input-image.ts';
import { MAX_IMAGE_BYTES, maxImageBytes } from '../domain/models.ts';
import { checkImageAddress, type RemoteImages, remoteImagesRefused } from '../domain/remote-image.ts';

const TIMEOUT_MILLISECONDS = 10_000;
const MAX_REDIRECTS = 3;
const MAX_ADDRESSES = 10;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

/** No cookie, credential or header of the client is sent. */
const HEADERS = {
  accept: 'image/png, image/jpeg, image/webp',
  'accept-encoding': 'identity',
  'user-agent': 'media-generation-images/1.0',
};

/** Why an image was not loaded, as a sentence. */
class NotLoaded extends Error {}

type FetchOptions = PublicNetwork & {
  /** Of all images of a request together. */
  readonly maxBytes: number;
  readonly timeoutMs?: number;
};

const tooLarge = (subject: string, most: number): NotLoaded =>
  new NotLoaded(`${subject} more than ${formatMegabytes(most)}.`);

/** Counts the bytes of all images of a request as they arrive, so that memory is bounded, whatever servers announce. */
const byteBudget = (maxBytes: number) => {
  let total = 0;
  return async (response: IncomingMessage): Promise<Uint8Array> => {
    const announced = Number(response.headers['content-length'] ?? 0);
    if (announced > MAX_IMAGE_BYTES) throw tooLarge('It has', MAX_IMAGE_BYTES);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      total += chunk.length;
      if (bytes > MAX_IMAGE_BYTES) throw tooLarge('It has', MAX_IMAGE_BYTES);
      if (total > maxBytes) throw tooLarge('The images of the request have', maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  };
};

const redirectTarget = (response: IncomingMessage, from: URL): string => {
  const { location } = response.headers;
  const target = location === undefined ? null : URL.parse(location, from.href);
  if (target === null) throw new NotLoaded('The server redirects to no valid address.');
  return target.href;
};

const requireAnswer = ({ statusCode, headers }: IncomingMessage): void => {
  if (statusCode !== 200) throw new NotLoaded(`The server answered with status ${statusCode}.`);
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') throw new NotLoaded('The server sent a compressed answer.');
};

type Step = { readonly bytes: Uint8Array } | { readonly redirect: string };

/** Every address, also that of a redirect, is checked; one deadline covers all of them. */
export const fetchImages = ({
  maxBytes,
  timeoutMs = TIMEOUT_MILLISECONDS,
  ...network
}: FetchOptions): RemoteImages => {
  const request = publicRequests(network);

  const fetchBytes = async (
    address: string,
    read: (response: IncomingMessage) => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Uint8Array> => {
    let next = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const { url, problem } = checkImageAddress(next, network);
      if (problem !== undefined) throw new NotLoaded(`The address to which its server redirects ${problem}`);
      const step = await request(
        { url, method: 'GET', headers: HEADERS, signal },
        async (response): Promise<Step> => {
          if (REDIRECTS.includes(response.statusCode)) return { redirect: redirectTarget(response, url) };
          requireAnswer(response);
          return { bytes: await read(response) };
        },
      );
      if ('bytes' in step) return step.bytes;
      next = step.redirect;
    }
    throw new NotLoaded(`The server redirects more than ${MAX_REDIRECTS} times.`);
  };

  const notLoaded = (param: string, error: unknown, signal: AbortSignal): DomainError => {
    const late = `The image did not arrive within ${timeoutMs / 1000} seconds.`;
    const known = error instanceof NotLoaded ? error.message : describeFailure(error);
    const reason = signal.aborted ? late : known;
    return new DomainError('remote_image_not_loaded', `${param} could not be loaded: ${reason}`, { param });
  };

  return {
    load: async (addresses, fieldName) => {
      const [first = ''] = addresses;
      if (addresses.length > MAX_ADDRESSES)
        throw new DomainError(
          'invalid_request',
          `At most ${MAX_ADDRESSES} images are accepted by address, but ${addresses.length} were named.`,
          { param: fieldName(first) },
        );
      const read = byteBudget(maxBytes);
      const ended = new AbortController();
      const load = async (address: string): Promise<readonly [string, InputImage]> => {
        const param = fieldName(address);
        const timeout = AbortSignal.timeout(timeoutMs);
        const bytes = await fetchBytes(address, read, AbortSignal.any([timeout, ended.signal])).catch(
          (error: unknown) => {
            throw notLoaded(param, error, timeout);
          },
        );
        const image = checkImage(bytes);
        if (typeof image === 'string')
          throw new DomainError('invalid_image', `${param}: the image ${image}`, { param });
        return [address, image];
      };
      try {
        return new Map(await Promise.all(addresses.map(load)));
      } finally {
        // The first failure ends the other connections.
        ended.abort();
      }
    },
  };
};

/** The images that a deployment loads: none, if its operator says so. */
export const createRemoteImages = ({
  REMOTE_IMAGES: isAccepted,
  UPSTREAM_REQUEST_MEGABYTES,
}: Environment<typeof REMOTE_IMAGES> & { readonly UPSTREAM_REQUEST_MEGABYTES: number }): RemoteImages =>
  isAccepted
    ? fetchImages({ ...publicUrlRules(), maxBytes: maxImageBytes(UPSTREAM_REQUEST_MEGABYTES) })
    : {
        load: async (addresses, fieldName) => {
          const [first] = addresses;
          if (first !== undefined) throw remoteImagesRefused(fieldName(first));
          return new Map();
        },
      };
