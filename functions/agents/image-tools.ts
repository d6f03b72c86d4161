import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { imagePrice } from '../billing/domain/charges.ts';
import { signFileDownload } from '../files/adapters/s3-files.ts';
import { logger } from '../identity/authentication/endpoint.ts';
import { convertImage } from '../images/adapters/convert-image.ts';
import { findClaim } from '../images/adapters/dynamo-claims.ts';
import type { MadeImage } from '../images/domain/kept-image.ts';
import { imageOrders } from '../images/image-service.ts';
import type { StartedImages } from '../images/usecases/generate-image.ts';
import { collectImages } from '../images/usecases/order-images.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { parseBody } from '../platform/body/parse.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { shareWhenSlow } from '../platform/domain/fair-share.ts';
import { times } from '../platform/domain/money.ts';
import { asDomainError } from '../platform/runtime/http.ts';
import { chargedSize } from '../upstream/domain/image-request.ts';
import { describeMade, unfinishedImages } from './api/image-result.ts';
import type { Arguments, ToolInputs } from './api/tool-inputs.ts';
import {
  lastingLinks,
  quoteError,
  requirePrice,
  type ToolCall,
  type ToolHandler,
  type ToolResult,
} from './domain/tools.ts';
import { previewer } from './library-tools.ts';
import type { McpEnvironment } from './settings.ts';
import { readImages } from './tool-arguments.ts';
import { keyForCall } from './usecases/repeated-calls.ts';
import { waitFor, waitUntil } from './usecases/wait.ts';
import { waitingPlaces } from './video-tools.ts';

/** No image takes longer: it is the timeout of the function. */
const LONGEST_GENERATION = 300_000;
const RETRY_AFTER_SECONDS = 15;

const noPlace = (): DomainError =>
  new DomainError(
    'overloaded',
    'Too many calls are making images or waiting for videos right now. Nothing was created; try again in a moment.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/** Images that are being made or returned, and the moment at which their place is free again. */
type Order = StartedImages & { readonly ended: Promise<unknown> };

const isUnderWay = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'request_in_progress';

export const imageTools = (client: DynamoDBClient, environment: McpEnvironment, inputs: ToolInputs) => {
  const { PRICES, FILE_TABLE, MEDIA_BUCKET } = environment;
  const order = imageOrders(environment, convertImage);
  const sign = signFileDownload(s3Client(), MEDIA_BUCKET);
  const preview = previewer(client, environment);
  const claims = findClaim(client, FILE_TABLE);
  const waiting = waitingPlaces(client, environment);
  const sharer = { ...waiting, slowSteps: waiting.places };

  const show = async (image: MadeImage) => {
    if (image.file === undefined) throw new Error('an image without a file');
    return describeMade(image, await sign(image.file, 'GET'), Date.now());
  };

  const findEarlier = (account: string) => async (key: string) => {
    const claim = await claims(account, key, Date.now());
    return claim && { createdAt: claim.createdAt, isFinished: claim.results.size === claim.count };
  };

  /** Images occupy an execution until they are finished, even if the client has left, so they need a place. */
  const orderWith = async (
    given: Arguments<'generate_image'>,
    key: string | undefined,
    { caller, requestId }: ToolCall,
  ): Promise<Order> => {
    const { max_price, idempotency_key: _, ...options } = given;
    const { request, count, conversion } = readImages(options);
    const size = imagePrice(chargedSize(request), PRICES);
    requirePrice(max_price, { amount: size === null ? null : times(size, count), currency: PRICES.currency });
    const header = (name: string) => (name === 'idempotency-key' ? key : undefined);
    const place = shareWhenSlow(sharer, { owner: caller.account, id: requestId }, LONGEST_GENERATION);
    const admit = async (): Promise<void> => {
      if (!(await place.begin())) throw noPlace();
    };
    try {
      const ordered = { request, count, conversion, admit };
      const started = await order({ caller, requestId, header }, given, ordered);
      return { ...started, ended: Promise.allSettled(started.images).then(place.end) };
    } catch (error) {
      await place.end();
      throw error;
    }
  };

  /** Waits for an earlier, identical call; `started` is undefined if that is still under way. */
  const orderOrWait = async (
    given: Arguments<'generate_image'>,
    key: string | undefined,
    call: ToolCall,
  ): Promise<{ readonly started: Order | undefined; readonly isReused: boolean }> => {
    let isReused = false;
    const look = () =>
      orderWith(given, key, call).catch((error: unknown) => {
        if (!isUnderWay(error)) throw error;
        isReused = true;
        return undefined;
      });
    const started = await waitUntil(waiting, {
      account: call.caller.account,
      id: call.requestId,
      deadline: call.deadline,
      look,
      isOver: (started) => started !== undefined,
      describe: () => 'An identical call is generating the images.',
      report: call.report,
    });
    return { started, isReused };
  };

  const generate: ToolHandler = async (raw, call): Promise<ToolResult> => {
    const given = parseBody(inputs.generate_image, raw);
    const { account } = call.caller;
    const { idempotency_key: own, max_price: _, ...options } = given;
    const asked = { caller: call.caller, tool: 'generate_image', given: options, now: Date.now() } as const;
    const derived = own === undefined ? await keyForCall(asked, findEarlier(account)) : undefined;
    const key = own ?? derived?.idempotencyKey;
    const { started, isReused } = await orderOrWait(given, key, call);
    const work = started?.ended.then(() => collectImages(started.images));
    const outcome = work && (await waitFor(work, 'Generating', call));
    if (outcome === undefined)
      return { structured: unfinishedImages(key, isReused), settled: started?.ended ?? Promise.resolve() };
    const images = await Promise.all(outcome.made.map(show));
    const unit = imagePrice(chargedSize(readImages(options).request), PRICES);
    return {
      structured: {
        status: 'completed',
        images,
        ...(outcome.failures.length === 0
          ? {}
          : { errors: outcome.failures.map(({ error }) => describeFailure(error)) }),
        ...(unit === null ? {} : { price: times(unit, images.length), currency: PRICES.currency }),
        ...(isReused ? { reused: true } : {}),
        next_step: `Give the user the urls, which work for 5 minutes${lastingLinks(environment.SHARE_TABLE !== undefined)}.`,
      },
      content: await preview(
        account,
        images.map(({ file_id }) => file_id),
      ),
    };
  };
  return generate;
};

const describeFailure = (error: unknown): string => {
  const { code, message } = asDomainError(error, logger);
  return quoteError(code, message);
};
