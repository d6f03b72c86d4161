import type { AccountRepository } from '../../../functions/billing/domain/ports.ts';
import type { AuditOrigin } from '../../../functions/identity/domain/audit.ts';
import type { MadeImage } from '../../../functions/images/domain/kept-image.ts';
import { collectImages, orderImages } from '../../../functions/images/usecases/order-images.ts';
import { DomainError } from '../../../functions/platform/domain/errors.ts';
import type { Task } from '../../../functions/videos/domain/task.ts';
import type { VideoRequest } from '../../../functions/videos/domain/video-request.ts';
import { cancelVideo } from '../../../functions/videos/usecases/cancel-video.ts';
import { createTask } from '../../../functions/videos/usecases/create-task.ts';
import { deleteVideo } from '../../../functions/videos/usecases/delete-video.ts';
import { queueAdmission } from '../../../functions/videos/usecases/watch-queue.ts';
import { buildLimiter } from '../../support/builders/limiter.ts';
import { IMAGE_REQUEST } from '../../support/builders/requests.ts';
import { ONLY, onlyPool } from '../../support/in-memory/upstreams.ts';
import { LOCAL_IMAGES } from '../../support/remote-images.ts';
import { Invocation } from './invocation.ts';
import { portsFor } from './ports.ts';
import { type Outcome, PRICES, type Service, SILENT } from './service.ts';

const ACCOUNT = 'account';
const KEY = 'key';
const ORIGIN: AuditOrigin = {
  actor: { kind: 'key', id: KEY, personId: undefined },
  ip: '192.0.2.1',
  userAgent: 'a test',
};
const PAUSE = 2000;
const MAX_TRIES = 8;
const IMAGE_TIMEOUT = 280_000;
const IMAGE_PAUSE = 120_000;

/** True when asking again cannot help: the service answered what it had to. */
const isFinal = (outcome: Outcome<unknown>): boolean =>
  outcome.state === 'ended' ||
  (outcome.state === 'threw' && outcome.error instanceof DomainError && outcome.error.code !== 'internal');

const isInProgress = (outcome: Outcome<unknown>): boolean =>
  outcome.state === 'threw' &&
  outcome.error instanceof DomainError &&
  ['request_in_progress', 'rate_limited', 'upstream_unavailable', 'overloaded'].includes(outcome.error.code);

/** A final refusal: the task was submitted or has ended. */
const isRefused = (error: unknown): boolean => error instanceof DomainError && error.rule.retry === false;

/** A client of the API that asks again when it gets no proper answer. */
export class Client {
  readonly #service: Service;
  #insistings = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  readonly sleep = (milliseconds: number): Promise<void> => this.#service.stores.time.sleep(milliseconds);

  readonly create = (request: VideoRequest, idempotencyKey?: string): Promise<Outcome<Task>> => {
    const { stores } = this.#service;
    return this.#insist(async (invocation) => {
      const ports = portsFor(stores, invocation);
      const settings = stores.settings();
      const upstreams = settings.length === 0 ? [ONLY] : settings;
      const { task } = await createTask(
        {
          ...ports,
          files: ports.media,
          logger: SILENT,
          now: stores.time.now,
          limiter: this.#limiter(ports.accounts),
          upstreams,
          admission: queueAdmission({
            news: ports.news,
            upstreams,
            logger: SILENT,
            now: stores.time.now,
            maxWaitMs: 3_600_000,
          }),
          prices: PRICES,
          requestMegabytes: 20,
          remoteImages: LOCAL_IMAGES,
        },
        this.#caller,
        request,
        { idempotencyKey },
      );
      return task;
    });
  };

  /** Asked for once: who asks again without a key pays for other images. */
  readonly makeImages = async (
    requestId: string,
    count = 1,
    idempotencyKey?: string,
  ): Promise<Outcome<readonly MadeImage[]>> => {
    const { stores } = this.#service;
    const invocation = new Invocation('image');
    const { images, imageCharges, keeping, accounts } = portsFor(stores, invocation);
    const service = {
      upstreams: [ONLY],
      generator: images,
      charges: imageCharges,
      keeping,
      limiter: this.#limiter(accounts),
      pool: onlyPool(stores.time.now).pool,
      logger: SILENT,
      now: stores.time.now,
      prices: PRICES,
      timeoutMs: IMAGE_TIMEOUT,
      // No time is left for a second try, whose pause would pass on the real clock.
      retryDelayMs: IMAGE_TIMEOUT,
    };
    const caller = this.#caller;
    const load = async () => IMAGE_REQUEST;
    const order = { caller, requestId, request: IMAGE_REQUEST, load, count, idempotencyKey };
    const outcome = await this.#service.invoke(invocation, async () => {
      const started = await orderImages(service, order);
      return (await collectImages(started.images)).made;
    });
    if (outcome.state === 'ended')
      stores.keptImages.answered.push(...outcome.result.map(({ file }) => file?.id));
    return outcome;
  };

  /** Asks again with the same key until there are images, or an error that asking again cannot change. */
  readonly insistOnImages = async (idempotencyKey: string, count = 1): Promise<void> => {
    this.#insistings += 1;
    const name = `client ${this.#insistings}`;
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const outcome = await this.makeImages(`${name} ${attempt}`, count, idempotencyKey);
      if (outcome.state === 'ended') return;
      if (isFinal(outcome) && !isInProgress(outcome)) return;
      await this.sleep(IMAGE_PAUSE);
    }
  };

  readonly remove = (id: string): Promise<Outcome<void>> => {
    const { stores } = this.#service;
    return this.#insist((invocation) =>
      deleteVideo(
        { ...portsFor(stores, invocation), logger: SILENT, now: stores.time.now },
        { ...ORIGIN, account: ACCOUNT, at: stores.time.now() },
        id,
      ),
    );
  };

  /** Cancels a task and remembers the answer, which must be true in the end. */
  readonly cancel = async (id: string): Promise<Outcome<Task>> => {
    const { stores } = this.#service;
    const outcome = await this.#insist((invocation) =>
      cancelVideo({ ...portsFor(stores, invocation), logger: SILENT, now: stores.time.now }, ACCOUNT, id),
    );
    if (outcome.state === 'ended') stores.cancelAnswers.push({ id, isCancelled: true });
    if (outcome.state === 'threw' && isRefused(outcome.error))
      stores.cancelAnswers.push({ id, isCancelled: false });
    return outcome;
  };

  /** Resolves when the service makes its call with this number, counted from now. */
  readonly nextCall = (count: number): Promise<void> => {
    const { gate } = this.#service.stores;
    return gate.reached(gate.names.length + count);
  };

  /** Deletes a task so long after its end. */
  readonly removeAfterEnd = async (id: string, pause: number): Promise<void> => {
    const { tasks, time } = this.#service.stores;
    await tasks.ended(id);
    await time.sleep(pause);
    await this.remove(id);
  };

  /** Asks again with the same key as soon as the earlier task has ended, for as long as that one is in the way. */
  readonly createAfterEnd = async (
    id: string,
    pause: number,
    request: VideoRequest,
    key: string,
  ): Promise<void> => {
    const { tasks, time } = this.#service.stores;
    await tasks.ended(id);
    await time.sleep(pause);
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const outcome = await this.create(request, key);
      if (outcome.state === 'ended') return;
      await time.sleep(10);
    }
  };

  get #caller() {
    return { account: ACCOUNT, keyId: KEY, monthlyBudget: this.#service.keyBudget };
  }

  #limiter(accounts: AccountRepository) {
    const { stores, limits } = this.#service;
    return buildLimiter(limits, accounts, stores.time.now);
  }

  async #insist<T>(ask: (invocation: Invocation) => Promise<T>): Promise<Outcome<T>> {
    let outcome: Outcome<T> = { state: 'died' };
    for (let attempt = 0; attempt < MAX_TRIES && !isFinal(outcome); attempt += 1) {
      if (attempt > 0) await this.#service.stores.time.sleep(PAUSE);
      const invocation = new Invocation('client');
      outcome = await this.#service.invoke(invocation, () => ask(invocation));
    }
    return outcome;
  }
}
