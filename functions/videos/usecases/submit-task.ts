import { isFileKey, removedFileKey } from '../../files/domain/file-keys.ts';
import { ownedBy, withinShare } from '../../platform/domain/fair-share.ts';
import { isCertainRefusal, toTaskError, UpstreamError } from '../../upstream/domain/faults.ts';
import type { Choice } from '../../upstream/domain/pool.ts';
import { coolDownAfter } from '../../upstream/domain/upstream-state.ts';
import type { UpstreamReference } from '../../upstream/domain/upstreams.ts';
import { type LoadedInput, UnusableInput, type VideoError } from '../../upstream/domain/video-generator.ts';
import { MissingInput, storageName } from '../domain/media.ts';
import { videoNeeds } from '../domain/offered.ts';
import {
  GENERATION_DEADLINE,
  MAX_OPEN_SUBMITS,
  retryDelay,
  SUBMIT_CLAIM,
  shareDelay,
} from '../domain/schedule.ts';
import type { Task } from '../domain/task.ts';
import {
  claimRepeat,
  claimSubmit,
  submitPaused,
  submitPostponed,
  submitRefused,
  submitted,
  submitUnanswered,
} from '../domain/transitions.ts';
import { checkLeaseEnd, startChecks } from './check-operation.ts';
import { failAndCallNext, joinLine, joinLineIfBusy } from './wait-in-line.ts';
import { failTask, saveAndEnqueue, saveStep, type Worker } from './worker.ts';

const MAX_WRITE_TRIES = 3;
/** Others may take the last place between the read and the claim. */
const MAX_CLAIM_TRIES = 3;

const NO_ANSWER: VideoError = {
  code: 'upstream_unavailable',
  message: 'The generator did not answer; it may have received the task twice.',
};

const NO_INPUT: VideoError = { code: 'internal', message: 'An input image of the task was not found.' };

const RETIRED: VideoError = {
  code: 'model_unavailable',
  message: 'The generator no longer offers this model.',
};

/** The settings of the upstreams have changed since the task was accepted. */
const NOT_OFFERED: VideoError = {
  code: 'model_unavailable',
  message: 'The service no longer offers these options with this model.',
};

/** A file that was deleted or expired after the task was accepted is kept under another key, and left empty here. */
const loadInput = async ({ media }: Worker, key: string): Promise<Uint8Array> => {
  if (!isFileKey(key)) return media.getInput(key);
  try {
    const bytes = await media.getInput(key);
    if (bytes.length > 0) return bytes;
  } catch (error) {
    if (!(error instanceof MissingInput)) throw error;
  }
  return media.getInput(removedFileKey(key));
};

const loadInputs = (worker: Worker, task: Task): Promise<LoadedInput[]> =>
  Promise.all(
    task.request.inputs.map(async ({ role, key, mimeType }) => ({
      role,
      mimeType,
      bytes: await loadInput(worker, key),
    })),
  );

/** A task joins the line while the workers have no time, unless it was called out of it and not refused since. */
export const submitOrWait = async (
  worker: Worker,
  task: Task,
  { waitedMs }: { readonly waitedMs: number },
): Promise<void> => {
  const hasTurn = task.ticket !== undefined && task.attempts === 0;
  const mayWait = task.openSubmits === 0 && !hasTurn;
  if (mayWait && (await joinLineIfBusy(worker, task, waitedMs))) return;
  await submitTask(worker, task);
};

/** The only call that costs money when it is repeated, so the intent is recorded first. */
export const submitTask = async (worker: Worker, task: Task): Promise<void> => {
  if (task.openSubmits > 0 && task.upstream?.isIdempotent === true) return repeatSubmit(worker, task);
  if (task.openSubmits >= MAX_OPEN_SUBMITS) return failTask(worker, task, NO_ANSWER);
  const choice = await choose(worker, task, { tried: new Set(), full: new Set() });
  if (choice.kind !== 'chosen') return waitForUpstream(worker, task, choice);
  const now = worker.now();
  const retryAt = now + shareDelay(now - task.createdAt, worker.random());
  await withinShare(worker, ownedBy(task), SUBMIT_CLAIM, {
    work: () => loadAndSubmit(worker, task, choice),
    postpone: () => saveAndEnqueue(worker, submitPostponed(task, retryAt)),
  });
};

type Excluded = { readonly tried: ReadonlySet<string>; readonly full: ReadonlySet<string> };

const choose = ({ pool }: Worker, { id, request, ticket }: Task, excluded: Excluded): Promise<Choice> =>
  pool.choose({
    ...excluded,
    model: request.model,
    needs: videoNeeds(request),
    isServed: ticket !== undefined,
    taskId: id,
  });

type Chosen = Extract<Choice, { readonly kind: 'chosen' }>;

const waitForUpstream = async (
  worker: Worker,
  task: Task,
  choice: Exclude<Choice, Chosen>,
  refusal?: UpstreamError,
): Promise<void> => {
  if (choice.kind === 'full') return joinLine(worker, task, choice.line);
  if (choice.kind === 'retired') return failTask(worker, task, RETIRED);
  if (choice.kind === 'none' && refusal === undefined) return failTask(worker, task, NOT_OFFERED);
  const now = worker.now();
  const pauseSeconds =
    choice.kind === 'paused' ? (choice.until - now) / 1000 : (refusal?.retryAfterSeconds ?? 0);
  // Spreads the tasks that wait for the same pause.
  const spreadSeconds = pauseSeconds * (1 + worker.random() / 4);
  const delay = retryDelay(task.attempts, worker.random(), spreadSeconds);
  return saveAndEnqueue(worker, submitPaused(task, now + delay), task);
};

const loadAndSubmit = async (worker: Worker, task: Task, choice: Chosen): Promise<void> => {
  try {
    const inputs = await loadInputs(worker, task);
    await submitToAny(worker, task, inputs, choice);
  } catch (error) {
    if (!(error instanceof MissingInput)) throw error;
    await failWithoutInput(worker, task, error);
  }
};

const failWithoutInput = async (worker: Worker, task: Task, error: MissingInput): Promise<void> => {
  worker.logger.error('input missing', error, { taskId: task.id });
  await failAndCallNext(worker, task, NO_INPUT);
};

/** Tries one upstream after another, as long as each of them has certainly not accepted the task. */
const submitToAny = async (
  worker: Worker,
  task: Task,
  inputs: readonly LoadedInput[],
  first: Chosen,
): Promise<void> => {
  const [tried, full] = [new Set<string>(), new Set<string>()];
  let [current, choice, refusal]: [Task, Choice, UpstreamError | undefined] = [task, first, undefined];
  for (let missed = 0; choice.kind === 'chosen'; ) {
    const prepared = await prepareInputs(worker, current, inputs, choice.upstream);
    if (prepared === undefined) return;
    const claimed = await claim(worker, current, choice);
    if (claimed === undefined) return;
    if (claimed === 'full') {
      missed += 1;
      if (missed >= MAX_CLAIM_TRIES) full.add(choice.upstream.name);
    } else {
      const refused = await submitClaimed(worker, claimed, prepared);
      if (refused === undefined) return;
      tried.add(choice.upstream.name);
      current = refused.task;
      // An upstream that is only busy is worth waiting for, whatever the others say.
      if (refusal === undefined || refusal.rule.submit === 'final') refusal = refused.error;
    }
    choice = await choose(worker, current, { tried, full });
  }
  if (choice.kind === 'none' && refusal?.rule.submit === 'final')
    return failTask(worker, current, toTaskError(worker.logger, refusal));
  return waitForUpstream(worker, current, choice, refusal);
};

/** Takes place before the claim, because a conversion can outlast it. Undefined if the task has failed. */
const prepareInputs = async (
  worker: Worker,
  task: Task,
  inputs: readonly LoadedInput[],
  upstream: UpstreamReference,
): Promise<readonly LoadedInput[] | undefined> => {
  try {
    return (await worker.generator.prepare?.(inputs, upstream)) ?? inputs;
  } catch (error) {
    if (!(error instanceof UnusableInput)) throw error;
    await failTask(worker, task, { code: 'upstream_rejected', message: error.message });
    return undefined;
  }
};

/** Undefined if another delivery won; `full` if other tasks have taken the last place. */
const claim = async (
  worker: Worker,
  task: Task,
  { upstream, place, isIdempotent }: Chosen,
): Promise<Task | undefined | 'full'> => {
  const now = worker.now();
  const hasPlace = place?.videosAtOnce !== undefined;
  const target = { ...upstream, hasPlace, ...(isIdempotent && { isIdempotent }) };
  const claimed = claimSubmit(task, now + SUBMIT_CLAIM, target);
  if (place === undefined) return (await saveStep(worker, claimed)) ? claimed : undefined;
  const start = { name: `${task.id.slice(-8)}${claimed.step}`, time: now };
  const taken = { ...place, taskId: task.id, start, until: now + SUBMIT_CLAIM + GENERATION_DEADLINE };
  const result = await worker.tasks.advanceWithPlace(claimed, taken);
  if (result === 'full') worker.pool.forget();
  if (result === true) return claimed;
  return result === 'full' ? 'full' : undefined;
};

type Refused = { readonly task: Task; readonly error: UpstreamError };

const upstreamOf = ({ id, upstream }: Task): NonNullable<Task['upstream']> => {
  if (upstream === undefined) throw new Error(`task ${id} has no upstream`);
  return upstream;
};

const submitAndSave = async (
  worker: Worker,
  claimed: Task,
  inputs: readonly LoadedInput[],
): Promise<void> => {
  const { request } = claimed;
  const upstream = upstreamOf(claimed);
  const operation = await worker.generator.submit(request, inputs, storageName(claimed), upstream);
  const now = worker.now();
  worker.logger.info('task submitted', {
    taskId: claimed.id,
    account: claimed.account,
    upstream: upstream.name,
    queueSeconds: (now - claimed.createdAt) / 1000,
  });
  await saveSubmitted(worker, submitted(claimed, operation, now, checkLeaseEnd(now)));
  await worker.pool.note(upstream.name, request.model);
};

/** Returns the refusal if the task may be submitted to another upstream. */
const submitClaimed = async (
  worker: Worker,
  claimed: Task,
  inputs: readonly LoadedInput[],
): Promise<Refused | undefined> => {
  try {
    await submitAndSave(worker, claimed, inputs);
    return undefined;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return afterFailedSubmit(worker, claimed, error);
  }
};

/** The upstream knows whether it has accepted the lost submit, so until it says so, the task goes nowhere else. */
const repeatSubmit = async (worker: Worker, task: Task): Promise<void> => {
  const claimed = claimRepeat(task, worker.now() + SUBMIT_CLAIM);
  if (!(await saveStep(worker, claimed))) return;
  try {
    await submitAndSave(worker, claimed, await loadInputs(worker, claimed));
  } catch (error) {
    if (error instanceof MissingInput) return failWithoutInput(worker, claimed, error);
    if (!(error instanceof UpstreamError)) throw error;
    logFailure(worker, claimed, error);
    if (error.fault === 'rejected') await failAndCallNext(worker, claimed, toTaskError(worker.logger, error));
    else await saveAndEnqueue(worker, submitUnanswered(claimed, retryTime(worker, claimed, error)));
  }
};

const logFailure = ({ logger }: Worker, task: Task, { fault, httpStatus }: UpstreamError): void =>
  logger.info('submit failed', { taskId: task.id, upstream: upstreamOf(task).name, fault, httpStatus });

const retryTime = (worker: Worker, { attempts }: Task, { retryAfterSeconds }: UpstreamError): number =>
  worker.now() + retryDelay(attempts, worker.random(), retryAfterSeconds);

/** After the upstream has retired the model, creates are refused, unless another upstream offers it. */
const noteRetired = async (
  { retirements, logger, now }: Worker,
  model: string,
  upstream: string,
  error: UpstreamError,
): Promise<void> => {
  const { until, reason } = coolDownAfter(error, model, now())?.coolDown ?? {};
  if (until === undefined || reason !== 'retired') return;
  await retirements.note(upstream, model, until).catch((failure: unknown) => {
    // The next task finds out the same.
    logger.error('upstream state not saved', failure, { upstream });
  });
};

/** A lost operation costs a second generation, so this write is retried. */
const saveSubmitted = async (worker: Worker, next: Task): Promise<void> => {
  for (let tries = 1; ; tries += 1)
    try {
      await startChecks(worker, next);
      worker.meter.started();
      return;
    } catch (error) {
      if (tries === MAX_WRITE_TRIES) throw error;
      worker.logger.error('submit not saved', error, { taskId: next.id, tries });
    }
};

const afterFailedSubmit = async (
  worker: Worker,
  task: Task,
  error: UpstreamError,
): Promise<Refused | undefined> => {
  const { rule } = error;
  const { name } = upstreamOf(task);
  const { model } = task.request;
  logFailure(worker, task, error);
  await worker.pool.note(name, model, error);
  await noteRetired(worker, model, name, error);
  if (worker.pool.hasOthers && isCertainRefusal(error)) {
    const refused = submitRefused(task, worker.now());
    return (await saveStep(worker, refused, task)) ? { task: refused, error } : undefined;
  }
  const retryAt = retryTime(worker, task, error);
  if (rule.submit === 'final') await failAndCallNext(worker, task, toTaskError(worker.logger, error));
  else if (rule.submit === 'refused') await saveAndEnqueue(worker, submitRefused(task, retryAt), task);
  else if (task.openSubmits >= MAX_OPEN_SUBMITS) await failTask(worker, task, NO_ANSWER);
  else await saveAndEnqueue(worker, submitUnanswered(task, retryAt));
  return undefined;
};
